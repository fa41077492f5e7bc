// LengthCounts: how many things have which length, by powers of two.
#pragma once

#include <array>
#include <cstdint>

#include "io/json.h"

namespace bertprep {

// Lengths from 2^i up to but not including 2^(i + 1) are counted together; 0 with 1.
class LengthCounts {
 public:
  void add(std::uint64_t length);
  void add(const LengthCounts& other);

  const std::array<std::uint64_t, 64>& by_power() const { return by_power_; }

  // The counts up to the last that is not 0, as records and manifests keep them.
  Json to_json() const;
  // Throws FormatError.
  static LengthCounts from_json(const Json& json);

 private:
  std::array<std::uint64_t, 64> by_power_{};
};

}  // namespace bertprep
