// Runs a program as a user does, and reports how it ended.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace bertprep::test {

struct RunOptions {
  std::filesystem::path folder{};                                  // working folder; empty: this process's
  std::string input{};                                             // stdin of the program
  std::filesystem::path output{};                                  // a file for stdout; empty: into Finished::out
  std::vector<std::pair<std::string, std::string>> environment{};  // set on top of this process's

  std::uint64_t file_size_limit_bytes = 0;  // as `ulimit -f`; 0: none
  bool as_nobody = false;                   // for root, whom permissions don't stop: run as a user who owns nothing

  // Sent `after` the start, if the program still runs then.
  int signal = 0;
  std::chrono::microseconds after{0};
};

struct Finished {
  int exit_status = -1;  // -1 if a signal ended it
  int signal = 0;
  std::string out;
  std::string err;
  std::uint64_t peak_memory_bytes = 0;
  std::chrono::microseconds duration{0};
};

// `command` is the program and its arguments. Throws std::runtime_error if it can't be started.
Finished run_program(const std::vector<std::string>& command, const RunOptions& options = {});

// The start of a command for so many processes by `launcher`, Open MPI's mpirun, on few processors: processes that wait
// let the others work.
std::vector<std::string> mpirun(const std::string& launcher, int processes);

}  // namespace bertprep::test
