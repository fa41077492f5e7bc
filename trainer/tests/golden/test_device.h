// The device that traces are made on: the CPU, or what BERTPREP_TEST_DEVICE says (trainer/scripts/gpu_check.sh).
#pragma once

#include <ATen/ATen.h>

#include <cstdlib>
#include <string>

namespace bertprep::test {

inline at::Device test_device() {
  const char* const name = std::getenv("BERTPREP_TEST_DEVICE");
  return at::Device(name == nullptr ? std::string("cpu") : std::string(name));
}

// On GPUs sums have no fixed order, and products are rounded otherwise.
inline double on_test_device(double tolerance) {
  return test_device().is_cpu() ? tolerance : 100 * tolerance;
}

}  // namespace bertprep::test
