// Tells by file names which files are shards, for training or for test.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace bertprep {

// Whether `word` ("training", "test") is in the name, with no other of these words after it: they may also be part of
// the name of the dataset, as in "latest_training_0" and "training-corpus_test_0".
bool is_named_for(std::string_view name, std::string_view word);

// Whether a file is a shard by its name: it ends in .hdf5 or .h5 and is not hidden, as are files that macOS adds
// (._x_training_0.hdf5). With `word`, whether it is also named for that.
bool is_shard_name(const std::filesystem::path& path);
bool is_shard_name(const std::filesystem::path& path, const std::string& word);

// The shards in `folder`, in the byte order of their names. Throws IoError if it can't be read, and for a broken link:
// the rows of that shard would be silently missing.
std::vector<std::filesystem::path> shard_paths(const std::filesystem::path& folder);

// A key by which names sort in natural order: x_9 before x_10.
std::string natural_key(const std::string& name);

}  // namespace bertprep
