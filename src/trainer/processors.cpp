#include "trainer/processors.h"

#include <algorithm>
#include <thread>

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

}  // namespace

int available_processors() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
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

}  // namespace bertprep
