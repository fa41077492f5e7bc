// Reindex: rewrites the index of a set of token sequences from the files with the ids.
#pragma once

#include <filesystem>

#include "bertprep/base/progress.h"

namespace bertprep {

struct ReindexReport {
  std::filesystem::path index;  // the file
  bool is_new = true;           // false: it was already correct
  std::uint64_t files = 0;      // shards for MDS, 1 for Megatron
  std::uint64_t sequences = 0;  // samples for MDS
};

// `path` is a folder with shards of MDS, in it or below it, whose index.json is written; or PREFIX of PREFIX.bin and
// PREFIX.idx. For MDS, all is read from the shards. For Megatron, the lengths of the sequences and the ends of
// documents in PREFIX.idx must be correct, and the size of PREFIX.bin; repairs the type, the offsets, an unclosed last
// document and ends that were not shifted when sets were merged. Keeps an existing index under another name,
// NAME.changed-1. Throws IoError; FormatError if the files are insufficient, such as a truncated shard; Cancelled.
ReindexReport reindex(const std::filesystem::path& path, Progress& progress);

}  // namespace bertprep
