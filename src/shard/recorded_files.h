// RecordedFiles: the files of a folder as its manifest describes them. Whatever reads finished shards compares them
// with it first, so that changed bytes are refused and not passed on.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "bertprep/base/progress.h"

namespace bertprep {

// A value type; const calls are thread-safe.
class RecordedFiles {
 public:
  // None.
  RecordedFiles() = default;
  // By the manifest in `folder`, of rows or of token sequences; none without one, or if it is another program's. Throws
  // IoError, and FormatError if it is damaged.
  explicit RecordedFiles(const std::filesystem::path& folder);

  bool has(const std::filesystem::path& file) const { return sha256_.contains(file.filename().string()); }
  bool is_empty() const { return sha256_.empty(); }
  // Reads `file`, if it is recorded; false if it has other bytes. Throws IoError, Cancelled.
  bool is_unchanged(const std::filesystem::path& file, const Progress& progress) const;
  // The same, but throws FormatError for other bytes.
  void require_unchanged(const std::filesystem::path& file, const Progress& progress) const;

 private:
  std::map<std::string, std::string> sha256_;  // by name
};

}  // namespace bertprep
