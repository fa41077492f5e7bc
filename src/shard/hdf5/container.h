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
#include <vector>

#include "shard/hdf5/chunk_index.h"
#include "shard/hdf5/object_header.h"
#include "shard/hdf5/shard_layout.h"

namespace bertprep {

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

}  // namespace bertprep
