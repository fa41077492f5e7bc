#include "trainer/program/process_setup.h"

#include <malloc.h>
#include <unistd.h>

#include <cstdlib>

namespace bertprep::cli {
namespace {

// The core type with the best instructions that this processor has, or null if OpenBLAS may choose.
const char* core_type() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    return "SkylakeX";
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
  return nullptr;
}

// Sets a variable that the user has not set; true if that changes something.
bool suggest(const char* name, const char* value) {
  return value != nullptr && std::getenv(name) == nullptr && ::setenv(name, value, 1) == 0;
}

}  // namespace

void set_up_process(char** argv) {
  ::mallopt(M_MMAP_MAX, 0);
  ::mallopt(M_TRIM_THRESHOLD, -1);
  ::mallopt(M_TOP_PAD, 64 << 20);
  const bool core_set = suggest("OPENBLAS_CORETYPE", core_type());
  const bool wait_set = suggest("OMP_WAIT_POLICY", "passive");
  if (core_set || wait_set) ::execv("/proc/self/exe", argv);
  // If the program can't be restarted, it continues: slower, with the same results.
}

}  // namespace bertprep::cli
