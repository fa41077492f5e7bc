// berttrain allreduce-bench over the stand-in for NCCL.
#include <cstdio>

#include "trainer/program/allreduce_bench_command.h"

int main(int argc, char** argv) {
  CLI::App app;
  const bertprep::cli::AllreduceBenchCommand bench(app);
  const auto processes = bertprep::join_process_group();
  try {
    app.parse(argc, argv);
    return bench.run(*processes);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    processes->abort(1);
    return 1;
  }
}
