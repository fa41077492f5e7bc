// RunStage: one stage of a run as a task of an array (docs/how-to/slurm.md).
#pragma once

#include <string>

#include "batch/array_position.h"
#include "run/run_request.h"

namespace bertprep::cli {

// Adds --piece-size, which applies to the stage that divides the input; empty: the default.
void add_piece_size(CLI::App& app, std::string& piece_size);
// Throws ConfigError if it is not a size.
std::uint64_t piece_bytes(const std::string& piece_size);

class RunStage {
 public:
  void add_options(CLI::App& app, OptionTable& options);

  bool is_requested() const { return !stage_.empty(); }
  // Does this process's share, given by the options or the engine's variables.
  StageReport run(RunRequest& request, Console& console) const;

 private:
  StageReport fetch(RunRequest& request, Console& console) const;
  // Downloads what is missing, and divides the input.
  StageReport plan(RunRequest& request, Progress& progress) const;

  std::string stage_;
  std::string piece_size_;
  ArrayOptions array_;
};

}  // namespace bertprep::cli
