// OnesRun: where the ones of a row stand that has nothing but zeros and ones: almost every mask and every row of
// segments is told by it, and no one need look at its values again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace bertprep {

struct OnesRun {
  std::size_t begin = 0;
  std::size_t end = 0;  // behind the last one; both are 0 where there is none
};

// Nothing where there are other values than 0 and 1, or zeros between ones. The same for the same values of both types.
std::optional<OnesRun> find_ones(std::span<const std::uint8_t> values);
std::optional<OnesRun> find_ones(std::span<const std::int64_t> values);

}  // namespace bertprep
