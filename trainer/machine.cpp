#include "trainer/machine.h"

#include <sys/sysinfo.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <thread>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/process.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace bertprep {
namespace {

#if defined(__x86_64__)

struct Registers {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
};

Registers processor_leaf(unsigned leaf, unsigned part) {
  Registers r;
  if (__get_cpuid_count(leaf, part, &r.eax, &r.ebx, &r.ecx, &r.edx) == 0) return {};
  return r;
}

bool has_bit(unsigned value, unsigned bit) {
  return (value >> bit & 1U) != 0;
}

bool is_intel() {
  return processor_leaf(0, 0).ebx == signature_INTEL_ebx;
}

#endif

std::string gigabytes(double bytes) {
  return decimal(bytes / 1e9, 1) + " GB";
}

}  // namespace

int available_processors() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int machine_processors() {
  return std::max(1, static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN)));
}

bool has_fast_bf16() {
#if defined(__x86_64__)
  const unsigned features = processor_leaf(7, 0).edx;
  const bool has_amx_bf16 = has_bit(features, 22);
  const bool has_avx512_fp16 = has_bit(features, 23);
  const bool has_avx512_bf16 = has_bit(processor_leaf(7, 1).eax, 5);
  return has_amx_bf16 || (has_avx512_bf16 && !(is_intel() && has_avx512_fp16));
#else
  return false;
#endif
}

std::uint64_t state_bytes(const ModelConfig& config, const TrainOptions& options, std::uint64_t processes) {
  const std::uint64_t all = config.parameters() * sizeof(float);
  // Two moments, and LANS's second direction.
  const std::uint64_t optimizer = all * (options.optimizer.optimizer == OptimizerKind::kLans ? 3 : 2);
  const std::int64_t zero = options.process.zero;
  return all + (zero > 1 ? all / processes : all) + (zero > 0 ? optimizer / processes : optimizer);
}

std::uint64_t machine_memory_bytes() {
  struct sysinfo machine {};
  if (::sysinfo(&machine) != 0) return memory_limit_bytes();
  return std::min((std::uint64_t{machine.totalram} + machine.totalswap) * machine.mem_unit, memory_limit_bytes());
}

void require_memory(std::uint64_t bytes, std::uint64_t processes_here, std::uint64_t machine_bytes) {
  const double needed = static_cast<double>(bytes) * static_cast<double>(processes_here);
  if (needed <= static_cast<double>(machine_bytes)) return;
  throw ConfigError("weights, gradients and moments need " + gigabytes(needed) + ", this machine has " +
                        gigabytes(static_cast<double>(machine_bytes)),
                    {},
                    processes_here > 1 ? "give a smaller `model`, fewer processes per machine, or `zero` 2"
                                       : "give a smaller `model`, or more machines and `zero` 2");
}

std::filesystem::path blas_library() {
  std::ifstream maps("/proc/self/maps");
  std::filesystem::path found;
  for (std::string line; std::getline(maps, line);) {
    const std::size_t begin = line.find('/');
    if (begin == std::string::npos) continue;
    const std::filesystem::path path = line.substr(begin);
    const std::string name = path.filename().string();
    for (const char* known : {"libblas.so", "libopenblas", "libmkl_rt", "libblis", "libflexiblas"}) {
      if (name.starts_with(known)) found = path;
    }
  }
  return found;
}

bool is_reference_blas(const std::filesystem::path& library) {
  // Debian keeps each implementation of libblas.so.3 in a separate folder, the reference in one named blas.
  return library.filename().string().starts_with("libblas.so") && library.parent_path().filename() == "blas";
}

}  // namespace bertprep
