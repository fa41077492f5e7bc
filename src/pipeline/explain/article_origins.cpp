#include "pipeline/explain/article_origins.h"

#include <algorithm>

#include "bertprep/base/error.h"
#include "io/state_folder.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/record_reader.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNotRecorded =
    "where its articles come from is not recorded: the text shard was made by an earlier version, or not by bertprep";

// NAME of NAME_training_3 and NAME_test_3.
std::string dataset_of(const std::string& stem) {
  for (const char* word : {"_training_", "_test_"}) {
    const std::size_t at = stem.rfind(word);
    if (at != std::string::npos) return stem.substr(0, at);
  }
  return {};
}

}  // namespace

ArticleOrigins::ArticleOrigins(const fs::path& text_shard) {
  try {
    load(text_shard);
  } catch (const FormatError& error) {
    why_not_ = std::string("the record of its articles is damaged: ") + error.what();
  }
  if (!why_not_.empty()) articles_.clear();
}

void ArticleOrigins::load(const fs::path& text_shard) {
  why_not_ = kNotRecorded;
  const fs::path folder = fs::absolute(text_shard).parent_path();
  const std::string dataset = dataset_of(text_shard.stem().string());
  const auto state = find_state_folder(folder);
  if (!state || dataset.empty()) return;
  const auto record = load_record(folder, shard_task_name(dataset));
  const fs::path places = *state / article_places_name(dataset);
  if (!record || !fs::exists(places)) return;
  const auto output = std::find_if(record->outputs.begin(), record->outputs.end(), [&](const OutputEntry& entry) {
    return entry.name == text_shard.filename().string();
  });
  if (output == record->outputs.end()) return;
  sources_ = text_sources_in(record->counts, folder);
  if (sources_.empty()) return;

  const AssignmentFile assignment(places,
                                  "give the command that made the text shards again: it makes the record again");
  const auto shard = static_cast<std::size_t>(output - record->outputs.begin());
  if (assignment.shards() != record->outputs.size() || assignment.shard_bytes(shard) != fs::file_size(text_shard)) {
    why_not_ = "the record of its articles belongs to another text";
    return;
  }
  articles_ = assignment.articles_of_shard(shard);
  why_not_.clear();
}

const std::optional<OriginsFile>& ArticleOrigins::origins_of(const fs::path& formatted) {
  auto known = origins_.find(formatted);
  if (known == origins_.end()) known = origins_.emplace(formatted, OriginsFile::beside(formatted)).first;
  return known->second;
}

ArticleOrigin ArticleOrigins::find(std::uint64_t byte) {
  ArticleOrigin found;
  found.why_not = why_not_;
  const auto after = std::upper_bound(
      articles_.begin(), articles_.end(), byte,
      [](std::uint64_t place, const AssignmentFile::PlacedArticle& article) { return place < article.begin; });
  if (after == articles_.begin()) return found;
  std::uint64_t article = std::prev(after)->article;
  auto source = sources_.begin();
  while (source != sources_.end() && article >= source->articles) article -= (source++)->articles;
  if (source == sources_.end()) return found;
  found.formatted = source->file;
  found.number = article + 1;
  const auto& origins = origins_of(source->file);
  if (!origins) {
    found.why_not = "there are no origins beside the formatted file";
  } else if (origins->articles() != source->articles) {
    found.why_not = "the origins beside the formatted file belong to another text";
  } else {
    found.origin = origins->line(article);
  }
  return found;
}

}  // namespace bertprep
