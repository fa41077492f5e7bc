// Tells by file names whether files are for training or for test.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace bertprep {

// Whether `word` ("training", "test") is in the name, with no other of these words after it: they may also be part of
// the name of the dataset, as in "latest_training_0" and "training-corpus_test_0".
bool is_named_for(std::string_view name, std::string_view word);

// The same for a file that ends in .hdf5 or .h5.
bool is_shard_name(const std::filesystem::path& path, const std::string& word);

// A key by which names sort in natural order: x_9 before x_10.
std::string natural_key(const std::string& name);

}  // namespace bertprep
