// Completion records -> manifest.json.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/shard/manifest.h"
#include "pipeline/records/output_folder.h"
#include "quality/data_counts.h"

namespace bertprep {

// Facts about the whole corpus rather than a single shard: how the text was made.
using Provenance = std::vector<std::pair<std::string, std::string>>;

// Refuses, before any work, to add shards of `recipe` to a folder with shards of another one; `planned` are the files
// that will be made or replaced. Throws FormatError.
void refuse_other_recipes(const OutputFolder& folder, const Json& recipe, const std::set<std::string>& planned);

// Refuses to replace shards that no call made, unless forced. Throws FormatError.
void refuse_foreign_shards(const OutputFolder& folder, const std::set<std::string>& planned, const WorkOptions& work);

// A folder with a manifest is a finished dataset. Throws FormatError if `recipe` or `provenance`, as far as known,
// differ from the manifest, unless forced.
void refuse_other_dataset(const std::filesystem::path& folder, const Json& recipe, const Provenance& provenance,
                          const WorkOptions& work);

// The digest of the formatted text of a finished dataset of rows or sequences; nothing if there is none in `folder`, or
// its text is unknown.
std::optional<std::string> text_of_dataset(const std::filesystem::path& folder);

// The same for one shard that `instances` would make from another text.
void refuse_other_text(const OutputFolder& folder, const std::string& task, const std::string& text_sha256);

// Removes a manifest whose shards will be replaced, after all checks.
void withdraw_manifest(const std::filesystem::path& folder);

// How many of the `planned` shards exist but were made by another recipe: they are made again.
std::size_t count_outdated(const OutputFolder& folder, const Json& recipe, const std::set<std::string>& planned);

// In the counts of a shard's record: Vocab::name().
inline constexpr const char* kVocabName = "vocabulary";

// The records of the shards of one folder, added up as they become known, in any order: the manifest depends only on
// which they are. Memory: a few hundred bytes per shard, and its most frequent unknown words.
class RecordSums {
 public:
  // Throws FormatError if `record`, that of a shard of `folder`, has another recipe than an earlier one. Thread-safe.
  void add(const OutputFolder& folder, const std::string& task, const CompletionRecord& record);
  // The others are not thread-safe.
  bool contains(const std::string& task) const;
  // Call it once, after all add().
  Manifest manifest(const OutputFolder& folder, const std::string& dataset, const Provenance& provenance,
                    const DroppedDocuments& dropped);

 private:
  struct Shard {
    ManifestShard entry;
    std::string vocab_name;
    FrequentWords unknown_words;  // apart from the other counts: their sums depend on the order
  };

  std::mutex mutex_;
  std::map<std::string, Shard> shards_;  // by natural_key() of the task
  Json recipe_ = Json::object();
  std::string first_file_;  // whose recipe it is
  DataCounts counts_;
  bool is_counted_ = true;
};

// Merges the records of all finished shards in `folder`, and adds up their counts; reads only those that `sums` lacks.
// Throws FormatError if two of them were made by different recipes.
Manifest merge_records(const OutputFolder& folder, const std::string& dataset, const Provenance& provenance,
                       const DroppedDocuments& dropped, RecordSums& sums);
Manifest merge_records(const OutputFolder& folder, const std::string& dataset, const Provenance& provenance,
                       const DroppedDocuments& dropped);

// Writes manifest.json into `folder` unless it exists with the same bytes.
void publish_manifest(const OutputFolder& folder, const Manifest& manifest);

}  // namespace bertprep
