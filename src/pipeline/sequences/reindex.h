// Reindex: the index of a set of token sequences, written anew from the files that hold the ids.
#pragma once

#include <cstdint>
#include <filesystem>

#include "bertprep/base/progress.h"

namespace bertprep {

struct ReindexReport {
  std::filesystem::path index;  // the file
  bool is_new = true;           // false: it was right already
  std::uint64_t files = 0;      // shards of MDS, 1 for Megatron
  std::uint64_t sequences = 0;  // samples of MDS
};

// `path` is a folder with shards of MDS, in it or below it, whose index.json is written; or PREFIX of PREFIX.bin and
// PREFIX.idx. Of MDS all is read from the shards. Of Megatron the lengths of the sequences and the ends of documents
// that PREFIX.idx has must be right, and the size of PREFIX.bin; the type, the offsets, a last document that was not
// closed and ends that were not moved when sets were merged are mended. An index that was there is kept under another
// name, NAME.changed-1. Throws IoError; FormatError for what can't be told from the files, such as a cut shard;
// Cancelled.
ReindexReport reindex(const std::filesystem::path& path, Progress& progress);

}  // namespace bertprep
