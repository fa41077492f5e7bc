// The shards below a path, and the vocabulary that one was made with.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bertprep/token/vocab.h"
#include "console/console.h"

namespace bertprep::cli {

struct ShardFile {
  std::filesystem::path path;
  std::string name;  // relative to the folder that was given; the file name for a file
};

// A file itself, or all *.hdf5 files below a folder in the byte order of their relative names; hidden folders are left
// out. Throws IoError when there is no such path, FormatError when a folder holds no shard.
std::vector<ShardFile> shard_files(const std::filesystem::path& path);
// The same, and none of a folder that holds none.
std::vector<ShardFile> shard_files_if_any(const std::filesystem::path& path);

// That of them that people mean by the first: folders and numbers in their natural order, training before test.
const ShardFile& first_shard(const std::vector<ShardFile>& files);

// Looks for it by the digest that the manifest beside the shard has: vocab.txt there, the vocabularies of the catalogue
// that are on this machine, and those that runs have downloaded. Nothing, with a note that says what to do, when there
// is no manifest or the vocabulary is not found. Throws FormatError for a damaged manifest.
std::optional<Vocab> vocab_of_shard(const std::filesystem::path& shard, Console& console);

}  // namespace bertprep::cli
