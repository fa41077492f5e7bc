// Values for testing loops, determined by the seed.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/random.h"

namespace bertprep::test {

// `count` values between -scale and scale; `seed` is an integer.
inline std::vector<float> random_values(std::size_t count, double scale, const std::string& seed) {
  Random random(seed);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(scale * (2 * random.real() - 1));
  return values;
}

}  // namespace bertprep::test
