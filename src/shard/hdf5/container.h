// Container: an HDF5 file except for the bytes of its chunks. The six datasets of a shard are in its root group.
//
// We write it ourselves because the library takes more time for a small shard than everything else together, admits one
// thread at a time, and changes the layout between versions. This is its oldest format, in which datasets have no
// times, with the chunks first and all metadata together after them.
// Source: HDF5 File Format Specification, II.A "Format Signature and Superblock" (version 1), III.A.1 "Version 1
// B-trees", III.B "Group Symbol Table Nodes", III.D "Local Heaps", IV.A.1.a "Version 1 Data Object Header Prefix",
// IV.A.2 "Data Object Header Messages".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "io/input_file.h"
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

// The position of a chunk in the file and in its dataset.
struct StoredChunk {
  std::uint64_t address;
  std::uint32_t size_bytes;
  std::array<std::uint64_t, 2> offset;  // of its first element: row, column
};

// The undefined address.
inline constexpr std::uint64_t kNoAddress = ~std::uint64_t{0};

// Half of the entries that a node has room for. One number for the whole file: with the usual 32, small shards would be
// mostly empty space.
std::size_t index_half_entries(std::size_t max_chunks);

// Appends the index of chunks in ascending order, a B-tree (node type 1), to `out`, whose first byte will be at
// `address`. Returns the address of its root, or kNoAddress without chunks.
std::uint64_t append_chunk_index(std::span<const StoredChunk> chunks, const DatasetPlan& plan, std::size_t half_entries,
                                 std::uint64_t address, LittleEndianBytes& out);

// Chunks of each dataset, in ascending order of their offsets.
using StoredChunks = std::array<std::vector<StoredChunk>, kDatasets>;

// Datasets as a group lists them.
std::array<std::size_t, kDatasets> datasets_by_name(const ShardPlan& plan);

class Container {
 public:
  // The bytes before the first chunk.
  static constexpr std::size_t kFrontBytes = 104;

  // For chunks that end at `chunks_end`, a multiple of 8, where back() is written.
  Container(const ShardPlan& plan, unsigned deflate_level, const StoredChunks& chunks, std::uint64_t chunks_end);

  // kFrontBytes for the start of the file.
  LittleEndianBytes front() const;
  const LittleEndianBytes& back() const { return back_; }

 private:
  std::uint64_t here() const { return back_address_ + back_.size(); }
  std::uint64_t append_dataset(const DatasetPlan& plan, unsigned deflate_level, std::uint64_t index);
  void append_group(const ShardPlan& plan, const std::array<std::uint64_t, kDatasets>& headers);

  std::size_t half_entries_;
  std::uint64_t back_address_;
  std::uint64_t root_header_ = 0;
  std::uint64_t root_tree_ = 0;
  std::uint64_t root_heap_ = 0;
  LittleEndianBytes back_;
};

// Reads what a container that we wrote holds, without HDF5's library, which takes longer to load than most shards to
// read. Never guesses: what was read is written again by Container and compared, byte for byte, with the file.
struct StoredShard {
  ShardPlan plan;
  StoredChunks chunks;

  // The chunk of dataset `number` whose first element is at this row and column; null if there is none.
  const StoredChunk* find(std::size_t number, std::size_t row, std::size_t column) const;
};

// Nothing if the bytes around the chunks are not those that Container writes for them: a file of another origin, or a
// damaged one. Throws IoError.
std::optional<StoredShard> read_container(InputFile& file);

}  // namespace bertprep
