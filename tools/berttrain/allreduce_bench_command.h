// berttrain allreduce-bench: how fast the processes of a run exchange gradients, as the table that nccl-tests print.
#pragma once

#include <CLI/CLI.hpp>

#include "bertprep/trainer/process_group.h"
#include "trainer/distributed/allreduce_bench.h"

namespace bertprep::cli {

class AllreduceBenchCommand {
 public:
  explicit AllreduceBenchCommand(CLI::App& parent);

  bool is_asked() const { return app_->parsed(); }
  // Process 0 prints the table. Returns an ExitStatus: failed when a value was wrong. Errors are thrown.
  int run(ProcessGroup& processes) const;

 private:
  CLI::App* app_;
  AllreduceBenchOptions options_;
};

}  // namespace bertprep::cli
