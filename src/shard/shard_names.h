// Tells by file names which files are shards, for training or for test.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/base/progress.h"

namespace bertprep {

// RecordedFiles: the files of a folder as its manifest describes them. Whatever reads finished shards compares them
// with it first, so that changed bytes are refused and not passed on.
//
// A value type; const calls are thread-safe.
class RecordedFiles {
 public:
  // None.
  RecordedFiles() = default;
  // By the manifest in `folder`, of rows or of token sequences; none without one, or if it is another program's. Throws
  // IoError, and FormatError if it is damaged.
  explicit RecordedFiles(const std::filesystem::path& folder);

  bool has(const std::filesystem::path& file) const { return sha256(file) != nullptr; }
  bool is_empty() const { return sha256_.empty(); }
  // nullptr for other files.
  const std::string* sha256(const std::filesystem::path& file) const;
  // Reads `file`, if it is recorded; false if it has other bytes. Throws IoError, Cancelled.
  bool is_unchanged(const std::filesystem::path& file, const Progress& progress) const;
  // The same, but throws FormatError with `hint` for other bytes.
  void require_unchanged(const std::filesystem::path& file, const Progress& progress,
                         const std::string& hint =
                             "its sha256 differs; fetch or make it again, or move manifest.json "
                             "away to read it as it is") const;

 private:
  std::map<std::filesystem::path, std::string> sha256_;  // by absolute path
};

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
