// write_text_shards: formatted files, their sentence index and an assignment -> text shards, in one sequential pass.
#pragma once

#include "pipeline/text_shards/shard_assignment.h"

namespace bertprep {

// Formatted files, which are read again block by block with their sentence index.
struct IndexedText {
  std::span<const std::filesystem::path> files;
  std::filesystem::path index;
  std::string text_sha256;  // as by digest_text(), when the index was made
};

// Writes shard k to paths[k]. Writes every article at its place as the pass reaches it; all text shards are open
// meanwhile. Throws IoError, FormatError if files and index do not match, Cancelled.
void write_text_shards(const IndexedText& input, const ArticlePlaces& places,
                       std::span<const std::filesystem::path> paths, std::size_t threads, Progress& progress);

}  // namespace bertprep
