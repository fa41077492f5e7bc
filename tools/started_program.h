// StartedProgram: another program, run to its end without a shell.
#pragma once

#include <string>
#include <vector>

namespace bertprep::cli {

struct StartedProgram {
  bool found = true;  // false: there is no such program
  int status = 0;     // 128 + signal when one ended it
  std::string out;
  std::string err;
};

// `command` is the program, looked up in PATH, and its arguments; it reads nothing. Throws IoError when it can't be
// started although it is there.
StartedProgram run_to_end(const std::vector<std::string>& command);

// What it printed, without the last line end. Throws IoError with the command and its error when it fails.
std::string output_of(const std::vector<std::string>& command);

}  // namespace bertprep::cli
