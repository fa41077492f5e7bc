// berttrain allreduce-bench: how fast the processes of a run exchange gradients, in a table like that of nccl-tests.
#pragma once

#include <CLI/CLI.hpp>

#include "bertprep/trainer/process_group.h"
#include "trainer/distributed/allreduce_bench.h"

namespace bertprep::cli {

class AllreduceBenchCommand {
 public:
  explicit AllreduceBenchCommand(CLI::App& parent);

  bool is_requested() const { return app_->parsed(); }
  // Process 0 prints the table. Returns an ExitStatus: failure if a value was wrong. Throws Error.
  int run(ProcessGroup& processes) const;

 private:
  CLI::App* app_;
  AllreduceBenchOptions options_;
};

}  // namespace bertprep::cli
