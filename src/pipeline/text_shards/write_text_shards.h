// write_text_shards: formatted files, their sentence index and an assignment -> text shards, in one sequential pass.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "bertprep/base/progress.h"
#include "pipeline/text_shards/sentence_index.h"
#include "pipeline/text_shards/shard_assignment.h"

namespace bertprep {

struct IndexedText {
  std::span<const std::filesystem::path> files;
  std::filesystem::path index;
};

// Where every article goes. Memory: 12 bytes an article.
struct ArticlePlaces {
  std::vector<std::uint32_t> shard;
  std::vector<std::uint64_t> offset;  // in the text shard
  std::vector<std::uint64_t> shard_bytes;
};
// Shards are numbered through: training first, then test. Takes the memory of `bytes`.
ArticlePlaces places_of(const ShardAssignment& assignment, std::vector<std::uint64_t> bytes);

// Writes shard k to paths[k]. Every article is written at its place when the pass comes to it; all text shards are open
// meanwhile. Returns the digest of the text that was read, as digest_text() says it. Throws IoError, FormatError when
// files and index do not belong together, Cancelled.
std::string write_text_shards(const IndexedText& input, const ArticlePlaces& places,
                              std::span<const std::filesystem::path> paths, std::size_t threads, Progress& progress);

}  // namespace bertprep
