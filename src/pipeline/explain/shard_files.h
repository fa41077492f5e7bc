// The shards below a path, and the vocabulary of a shard.
#pragma once

#include "bertprep/base/progress.h"
#include "bertprep/token/vocab.h"

namespace bertprep {

struct ShardFile {
  std::filesystem::path path;
  std::string name;  // relative to the given folder; the file name for a file
};

// A file itself, or all shards below a folder in the byte order of their relative names; skips hidden folders. Throws
// IoError if there is no such path, FormatError if a folder has no shards.
std::vector<ShardFile> shard_files(const std::filesystem::path& path);
// The same, but empty for a folder without shards.
std::vector<ShardFile> shard_files_if_any(const std::filesystem::path& path);

// The first one for a reader: folders and numbers in natural order, training before test.
const ShardFile& first_shard(const std::vector<ShardFile>& files);

// Finds it by the digest in the shard's manifest: vocab.txt there, the catalogue's vocabularies on this machine, and
// those that runs have downloaded. Nothing, with a note that says what to do, if there is no manifest or the vocabulary
// is not found. Throws FormatError for a damaged manifest.
std::optional<Vocab> vocab_of_shard(const std::filesystem::path& shard, Progress& progress);

}  // namespace bertprep
