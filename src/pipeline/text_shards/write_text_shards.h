// write_text_shards: formatted files, their sentence index and an assignment -> text shards, in one sequential pass.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "bertprep/base/progress.h"
#include "pipeline/text_shards/indexed_text.h"
#include "pipeline/text_shards/shard_assignment.h"

namespace bertprep {

// The place of every article. Memory: 12 bytes per article.
struct ArticlePlaces {
  std::vector<std::uint32_t> shard;
  std::vector<std::uint64_t> offset;  // in the text shard
  std::vector<std::uint64_t> shard_bytes;
};
// Shards are numbered consecutively: training, then test. Takes the memory of `bytes`.
ArticlePlaces places_of(const ShardAssignment& assignment, std::vector<std::uint64_t> bytes);

// Writes shard k to paths[k]. Writes every article at its place as the pass reaches it; all text shards are open
// meanwhile. Throws IoError, FormatError if files and index do not match, Cancelled.
void write_text_shards(const IndexedText& input, const ArticlePlaces& places,
                       std::span<const std::filesystem::path> paths, std::size_t threads, Progress& progress);

}  // namespace bertprep
