// StartedProgram: the result of another program, run to its end without a shell.
#pragma once

#include <string>
#include <vector>

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

}  // namespace bertprep::cli
