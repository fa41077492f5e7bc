#include "pipeline/records/saved_index.h"

#include "io/digest.h"

namespace bertprep {

namespace fs = std::filesystem;

namespace {

std::string index_name(const std::string& formatted) {
  return formatted + ".sentences";
}

}  // namespace

SavedIndex::SavedIndex(const OutputFolder& folder, const std::string& name, const SentenceSplitter& splitter,
                       bool split_lines)
    : folder_(folder), name_(index_name(name)), recipe_("sentence-index", kSentenceIndexVersion) {
  recipe_.add("sentences", identity_of(splitter)).add("split-lines", split_lines ? "true" : "false");
}

void SavedIndex::save(PendingFile& pending, const std::string& text_sha256) const {
  CompletionRecord record{.key = recipe_.key(text_sha256), .outputs = {}, .recipe = recipe_.json()};
  record.counts.add("sha256", Json::string(sha256_of_file(pending.path())));
  folder_.begin_task(name_, record);
  pending.publish();
  folder_.write_record(name_, record);
}

std::optional<fs::path> SavedIndex::find(const std::string& text_sha256) const {
  const auto record = folder_.record(name_);
  if (!record || record->key != recipe_.key(text_sha256)) return std::nullopt;
  const Json* sha256 = record->counts.find("sha256");
  if (sha256 == nullptr || !fs::exists(path()) || sha256_of_file(path()) != sha256->text()) return std::nullopt;
  return path();
}

void remove_saved_index(const fs::path& formatted) {
  const OutputFolder folder(formatted.parent_path());
  const std::string name = index_name(formatted.filename().string());
  folder.remove_record(name);
  std::error_code ignored;
  fs::remove(folder.state_folder() / name, ignored);
}

}  // namespace bertprep
