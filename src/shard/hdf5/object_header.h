// Object headers: how an HDF5 file describes a dataset or a group, as a list of messages.
// Source: HDF5 File Format Specification, IV.A.1.a and IV.A.2; values are those of the library.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "shard/hdf5/shard_layout.h"

namespace bertprep {

// LittleEndianBytes: records of numbers and text, as in file formats.

class LittleEndianBytes {
 public:
  LittleEndianBytes() { bytes_.reserve(kUsualBytes); }

  LittleEndianBytes& u8(std::uint64_t value) { return number(value, 1); }
  LittleEndianBytes& u16(std::uint64_t value) { return number(value, 2); }
  LittleEndianBytes& u32(std::uint64_t value) { return number(value, 4); }
  LittleEndianBytes& u64(std::uint64_t value) { return number(value, 8); }

  LittleEndianBytes& text(std::string_view text) { return bytes(std::as_bytes(std::span(text))); }
  LittleEndianBytes& bytes(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  // Zeros up to `size` bytes in all.
  LittleEndianBytes& fill_to(std::size_t size) {
    if (bytes_.size() < size) bytes_.resize(size);
    return *this;
  }
  // Zeros up to the next multiple of 8.
  LittleEndianBytes& align() { return fill_to((bytes_.size() + 7) / 8 * 8); }

  void reserve(std::size_t size) { bytes_.reserve(size); }
  std::size_t size() const { return bytes_.size(); }
  std::span<const std::byte> view() const { return bytes_; }

 private:
  LittleEndianBytes& number(std::uint64_t value, unsigned size) {
    std::array<std::byte, 8> all;
    for (unsigned i = 0; i < all.size(); ++i) all[i] = static_cast<std::byte>(value >> (8 * i) & 0xFFU);
    return bytes(std::span(all).first(size));
  }

  static constexpr std::size_t kUsualBytes = 512;

  std::vector<std::byte> bytes_;
};

// A chunked dataset of signed integers, shuffled if the plan says so and deflated, whose chunk index is at `index`.
LittleEndianBytes dataset_header(const DatasetPlan& plan, unsigned deflate_level, std::uint64_t index);

// A group whose names are in the B-tree at `tree` and the local heap at `heap`.
LittleEndianBytes group_header(std::uint64_t tree, std::uint64_t heap);

}  // namespace bertprep
