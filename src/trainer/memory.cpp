#include "trainer/memory.h"

#include <sys/sysinfo.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <limits>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

// Version 2 and 1 of control groups; "max" and what else is no number is no limit.
std::uint64_t container_limit() {
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  for (const char* const file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::uint64_t bytes = 0;
    if (std::ifstream(file) >> bytes) limit = std::min(limit, bytes);
  }
  return limit;
}

std::string gigabytes(double bytes) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f GB", bytes / 1e9);
  return text.data();
}

}  // namespace

std::uint64_t state_bytes(const ModelConfig& config, const TrainOptions& options, std::uint64_t processes) {
  const std::uint64_t all = config.parameters() * sizeof(float);
  // Two moments, and LANS's second direction.
  const std::uint64_t optimizer = all * (options.optimizer.optimizer == "lans" ? 3 : 2);
  return 2 * all + (options.process.zero > 0 ? optimizer / processes : optimizer);
}

std::uint64_t machine_memory_bytes() {
  struct sysinfo machine {};
  if (::sysinfo(&machine) != 0) return container_limit();
  return std::min((std::uint64_t{machine.totalram} + machine.totalswap) * machine.mem_unit, container_limit());
}

void require_memory(std::uint64_t bytes, std::uint64_t processes_here, std::uint64_t machine_bytes) {
  const double needed = static_cast<double>(bytes) * static_cast<double>(processes_here);
  if (needed <= static_cast<double>(machine_bytes)) return;
  throw ConfigError("weights, gradients and moments need " + gigabytes(needed) + ", this machine has " +
                        gigabytes(static_cast<double>(machine_bytes)),
                    {},
                    processes_here > 1 ? "give a smaller --model, fewer processes a machine, or --zero 1"
                                       : "give a smaller --model, or more machines and --zero 1");
}

}  // namespace bertprep
