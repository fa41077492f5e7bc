// The programs of batch engines, run to their end without a shell, and what they say.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "batch/submission.h"

namespace bertprep::cli {

struct StartedProgram {
  bool found = true;  // false: there is no such program
  int status = 0;     // 128 + signal if one ended it
  std::string out;
  std::string err;
};

// `command` is the program, looked up in PATH, and its arguments; it gets no input. Throws IoError if it exists but
// can't be started.
StartedProgram run_to_end(const std::vector<std::string>& command);
// Its output, without the last line end. If it fails, throws IoError with the command and its error.
std::string output_of(const std::vector<std::string>& command);

// The jobs of a submission, as their engine sees them now. Nothing if the engine can't be asked from here.
std::optional<QueueState> ask_engine(const Submission& submission);

}  // namespace bertprep::cli
