// BytePlanes: 32-bit integers in the order of HDF5's shuffle filter: first all lowest bytes, then all second ones, ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bertprep {

class BytePlanes {
 public:
  static constexpr std::size_t kPlanes = 4;

  // Splits rows of `row_length` int32 values, as in memory. `values` must hold whole rows.
  void split(std::span<const std::byte> values, std::size_t row_length);

  std::size_t plane_size() const { return plane_size_; }
  // `count` planes from the lowest (0) on; contiguous in memory.
  std::span<const std::uint8_t> planes(std::size_t first, std::size_t count) const {
    return std::span(bytes_).subspan(first * plane_size_, count * plane_size_);
  }
  // Planes from this one on are all zeros: 2 if all values are below 65536.
  std::size_t used_planes() const { return used_planes_; }
  // For each row, the number of values up to the last one other than 0.
  std::span<const std::uint32_t> used_lengths() const { return used_lengths_; }

 private:
  std::size_t plane_size_ = 0;
  std::size_t used_planes_ = 0;
  std::vector<std::uint8_t> bytes_;
  std::vector<std::uint32_t> used_lengths_;
};

// Inverts split(): from all planes to their first values, as many as fit into `values`.
void join_planes(std::span<const std::byte> planes, std::span<std::byte> values);

}  // namespace bertprep
