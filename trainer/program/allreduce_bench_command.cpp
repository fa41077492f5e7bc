#include "trainer/program/allreduce_bench_command.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "base/fields.h"
#include "console/console.h"
#include "help/help_text.h"
#include "options/option_table.h"

namespace bertprep::cli {
namespace {

constexpr std::size_t kNameBytes = 96;

// "HOST", or "HOST device  0 [0000:1b:00.0]".
std::string name_of(const ProcessGroup& processes, const std::string& device) {
  std::array<char, kNameBytes> host{};
  ::gethostname(host.data(), host.size() - 1);
  std::array<char, 2 * kNameBytes> name{};
  if (device.empty()) {
    std::snprintf(name.data(), name.size(), "%10s", host.data());
  } else {
    std::snprintf(name.data(), name.size(), "%10s device %2zu [%s]", host.data(), processes.rank_here(),
                  device.c_str());
  }
  return name.data();
}

// Lists the processes: every process writes its line into a table, and the tables are added up.
void print_processes(ProcessGroup& processes, const std::string& device) {
  const std::string name = name_of(processes, device);
  std::vector<double> lines(processes.size() * (kNameBytes + 1));
  double* const own = lines.data() + processes.rank() * (kNameBytes + 1);
  for (std::size_t i = 0; i < std::min(kNameBytes, name.size()); ++i) own[i] = static_cast<double>(name[i]);
  own[kNameBytes] = static_cast<double>(::getpid());
  processes.sum(lines);
  if (processes.rank() != 0) return;
  std::printf("# Using processes\n");
  for (std::size_t rank = 0; rank < processes.size(); ++rank) {
    const double* const line = lines.data() + rank * (kNameBytes + 1);
    std::string place;
    for (std::size_t i = 0; i < kNameBytes && line[i] != 0; ++i) place += static_cast<char>(line[i]);
    std::printf("#  Rank %2zu Pid %6d on %s\n", rank, static_cast<int>(line[kNameBytes]), place.c_str());
  }
}

void print_head() {
  std::printf(
      "#\n"
      "# %62s%33s\n"
      "# %10s  %12s  %8s  %6s  %6s  %7s  %6s  %6s %6s  %7s  %6s  %6s %6s\n"
      "# %10s  %12s  %8s  %6s  %6s  %7s  %6s  %6s %6s  %7s  %6s  %6s %6s\n",
      "out-of-place", "in-place", "size", "count", "type", "redop", "root", "time", "algbw", "busbw", "#wrong", "time",
      "algbw", "busbw", "#wrong", "(B)", "(elements)", "", "", "", "(us)", "(GB/s)", "(GB/s)", "", "(us)", "(GB/s)",
      "(GB/s)", "");
}

void print_time(const AllreduceTime& time) {
  const double micros = 1e6 * time.seconds;
  std::printf("  %7.*f  %6.2f  %6.2f %6llu", micros < 1000 ? 2 : (micros < 10000 ? 1 : 0), micros,
              time.algorithm_bandwidth / 1e9, time.bus_bandwidth / 1e9, static_cast<unsigned long long>(time.wrong));
}

void print_row(const AllreduceRow& row) {
  std::printf("%12llu  %12llu  %8s  %6s  %6d", static_cast<unsigned long long>(row.bytes),
              static_cast<unsigned long long>(row.values), "float", "sum", -1);
  print_time(row.out_of_place);
  print_time(row.in_place);
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

AllreduceBenchCommand::AllreduceBenchCommand(CLI::App& parent)
    : app_(parent.add_subcommand("allreduce-bench", "measures how fast processes sum gradients, as nccl-tests do")) {
  app_->formatter(std::make_shared<HelpText>());
  add_help_flags(*app_);
  app_->add_option("-b,--minbytes", options_.first_bytes, "smallest size; K, M, G for powers of 1024 (default 8)")
      ->type_name("BYTES")
      ->group(heading(OptionGroup::kSteps));
  app_->add_option("-e,--maxbytes", options_.last_bytes, "largest size (default 64M)")
      ->type_name("BYTES")
      ->group(heading(OptionGroup::kSteps));
  app_->add_option("-f,--stepfactor", options_.step_factor, "factor from one size to the next (default 2)")
      ->type_name("FACTOR")
      ->group(heading(OptionGroup::kSteps));
  app_->add_option("-n,--iters", options_.repetitions, "timed calls (default 20)")
      ->type_name("COUNT")
      ->group(heading(OptionGroup::kSteps));
  app_->add_option("-w,--warmup-iters", options_.warmups, "warm-up calls (default 5)")
      ->type_name("COUNT")
      ->group(heading(OptionGroup::kSteps));
  app_->add_option("--device", options_.device,
                   "cpu: through MPI; cuda: one GPU per process, through NCCL (default cpu)")
      ->type_name("cpu|cuda")
      ->group(heading(OptionGroup::kResources));
  app_->footer("Examples:\n  mpirun -np 4 --bind-to none berttrain allreduce-bench -b 8 -e 256M -f 2");
}

int AllreduceBenchCommand::run(ProcessGroup& processes) const {
  const bool speaks = processes.rank() == 0;
  const std::string device = measured_device(processes, options_);
  if (speaks) {
    std::printf("# processes %zu minbytes %s maxbytes %s step: %lld(factor) warmup iters: %lld iters: %lld\n#\n",
                processes.size(), options_.first_bytes.c_str(), options_.last_bytes.c_str(),
                static_cast<long long>(options_.step_factor), static_cast<long long>(options_.warmups),
                static_cast<long long>(options_.repetitions));
  }
  print_processes(processes, device);
  if (speaks) print_head();
  std::uint64_t wrong = 0;
  double bus_bandwidth = 0;
  int columns = 0;
  allreduce_bench(processes, options_, [&](const AllreduceRow& row) {
    wrong += row.out_of_place.wrong + row.in_place.wrong;
    bus_bandwidth += row.out_of_place.bus_bandwidth + row.in_place.bus_bandwidth;
    columns += 2;
    if (speaks) print_row(row);
  });
  if (speaks) {
    std::printf("# Out of bounds values : %llu %s\n", static_cast<unsigned long long>(wrong),
                wrong == 0 ? "OK" : "FAILED");
    std::printf("# Avg bus bandwidth    : %g\n#\n", bus_bandwidth / columns / 1e9);
  }
  return wrong == 0 ? kDone : kFailed;
}

}  // namespace bertprep::cli
