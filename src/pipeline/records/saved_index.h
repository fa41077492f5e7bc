// SavedIndex: the sentence index made by formatting for sharding, in the state folder of the formatted file.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "bertprep/text/sentences.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/records/recipe.h"

namespace bertprep {

// Of the format in sentence_index.h; part of the recipe of whatever has an index.
inline constexpr const char* kSentenceIndexVersion = "2";

class SavedIndex {
 public:
  // `folder` has the formatted file `name`, and is kept by reference.
  SavedIndex(const OutputFolder& folder, const std::string& name, const SentenceSplitter& splitter, bool split_lines);

  std::filesystem::path path() const { return folder_.state_folder() / name_; }
  // Publishes the finished index of the text with this digest.
  void save(PendingFile& pending, const std::string& text_sha256) const;
  // The index of the text with this digest, if it exists and is undamaged. Reads it.
  std::optional<std::filesystem::path> find(const std::string& text_sha256) const;

 private:
  const OutputFolder& folder_;
  std::string name_;
  Recipe recipe_;
};

// Removes the index of a formatted file, which is not needed once the text shards exist.
void remove_saved_index(const std::filesystem::path& formatted);

}  // namespace bertprep
