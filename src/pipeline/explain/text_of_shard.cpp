#include "pipeline/explain/text_of_shard.h"

#include <algorithm>

#include "base/fields.h"
#include "io/state_folder.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/run_description.h"
#include "pipeline/records/run_layout.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kElsewhere = "if it is elsewhere, give its folder with `text`";

// The files of a run with these options, as far as the manifest tells.
struct RunFiles {
  ShardingOptions sharding;
  fs::path work;
  fs::path formatted;
  fs::path text_shards;
};

std::string text_name(const fs::path& shard) {
  return shard.stem().string() + ".txt";
}

// Whether its text shard exists and, as far as a record tells, is the one that the shard was made from.
bool has_text(const fs::path& text_shards, const fs::path& shard, const Manifest& manifest) {
  std::error_code error;
  if (!fs::exists(text_shards / text_name(shard), error)) return false;
  const auto record = find_record(text_shards, shard_task_name(manifest.dataset));
  const ManifestShard* entry = manifest.shard(shard.filename().string());
  if (!record || entry == nullptr) return true;
  const auto output = std::ranges::find(record->outputs, text_name(shard), &OutputEntry::name);
  return output == record->outputs.end() || output->sha256 == entry->text_sha256;
}

// The same of its formatted file.
bool has_formatted(const fs::path& formatted, const Manifest& manifest) {
  std::error_code error;
  if (!fs::exists(formatted, error)) return false;
  const auto record = find_record(formatted.parent_path(), formatted.filename().string());
  const std::string text = record ? counts_of(*record).text_sha256 : "";
  const auto made_from = manifest.recipe_value("formatted-sha256");
  return text.empty() || !made_from || text == *made_from;
}

// Nothing for shards made by `instances`: the path of their text is not recorded.
std::optional<RunFiles> files_of_run(const fs::path& shard, const Manifest& manifest, const TextPlace& place) {
  const auto train = manifest.recipe_value("train-shards");
  const auto test = manifest.recipe_value("test-shards");
  const auto fraction = manifest.recipe_value("test-fraction");
  const auto sentences = manifest.recipe_value("sentences");
  if (!train || !test || !fraction || !sentences) return std::nullopt;
  RunFiles files;
  files.sharding.train_shards = parse_integer("train-shards", *train);
  files.sharding.test_shards = parse_integer("test-shards", *test);
  files.sharding.test_fraction = parse_real("test-fraction", *fraction);
  // ROOT/PHASE/DATASET/SHARD
  const fs::path root = fs::absolute(shard).lexically_normal().parent_path().parent_path().parent_path();
  const fs::path text_shards = fs::path(sharded_folder_name(files.sharding)) / manifest.dataset;
  const fs::path folder = fs::absolute(shard).parent_path();
  files.work = place.work.empty()
                   ? find_work(root, find_state_folder(folder).value_or(state_beside(folder)),
                               [&](const fs::path& work) { return has_text(work / text_shards, shard, manifest); })
                   : place.work;
  const bool has_lines = sentences->starts_with("lines");
  files.formatted =
      files.work / kFormattedFolder /
      ((has_lines ? sentence_lines_file_name(manifest.dataset) : formatted_file_name(manifest.dataset)) + ".zst");
  files.text_shards = files.work / text_shards;
  return files;
}

// The options of `shard` for these sentences.
std::string sentence_options(const std::string& recorded) {
  const std::string rules = recorded.substr(0, recorded.find_first_of(" ,"));
  if (rules == "punkt") return "--sentences punkt --punkt NAME|DIR";
  return "--sentences " + rules;
}

// " (--input A B)", if recorded.
std::string inputs_of(const fs::path& shard) {
  const auto state = find_state_folder(fs::absolute(shard).parent_path());
  const auto places = state ? RunPlaces::find(*state) : std::nullopt;
  if (!places || places->inputs.empty()) return {};
  constexpr std::size_t kMostNamed = 3;
  std::string list = " (--input";
  for (std::size_t i = 0; i < std::min(places->inputs.size(), kMostNamed); ++i) list += " " + places->inputs[i];
  return list + (places->inputs.size() > kMostNamed ? " …)" : ")");
}

std::string shard_command(const RunFiles& files, const Manifest& manifest) {
  return "bertprep shard " + files.formatted.string() + " --name " + manifest.dataset + " " +
         sentence_options(*manifest.recipe_value("sentences")) + " --train-shards " +
         std::to_string(files.sharding.train_shards) + " --test-shards " + std::to_string(files.sharding.test_shards) +
         " --test-fraction " + *manifest.recipe_value("test-fraction") + " -o " + files.text_shards.string();
}

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

std::string text_shard_hint(const fs::path& shard, const Manifest& manifest, const TextPlace& place) {
  const auto files = files_of_run(shard, manifest, place);
  if (!files) return "make it again with the same options, and give its folder with `text`";
  if (has_formatted(files->formatted, manifest)) {
    return "restore it with '" + shard_command(*files, manifest) + "'; " + kElsewhere;
  }
  return "make it again with the command of the run" + inputs_of(shard) +
         ", with `keep` formatted,sharded and a new folder as `work`: the shards stay, and their text is found "
         "there; " +
         kElsewhere;
}

fs::path find_text_shard(const fs::path& shard, const Manifest& manifest, const TextPlace& place) {
  std::error_code error;
  fs::path text;
  if (!place.text.empty()) {
    text = fs::is_directory(place.text, error) ? place.text / text_name(shard) : place.text;
  } else if (const auto files = files_of_run(shard, manifest, place)) {
    if (!fs::exists(files->work, error)) {
      throw FormatError("the work folder of the run is not there", files->work,
                        "name it with `work`; if it was removed, " + text_shard_hint(shard, manifest, place));
    }
    text = files->text_shards / text_name(shard);
  } else {
    throw ConfigError("it is not recorded where the text is that the shard was made from", shard,
                      "give the folder of its text shards with `text`");
  }
  if (fs::exists(text, error)) return text;
  throw FormatError("the text that the shard was made from is gone", text, text_shard_hint(shard, manifest, place));
}

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
  const auto output = std::ranges::find(record->outputs, text_shard.filename().string(), &OutputEntry::name);
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
  const auto after = std::ranges::upper_bound(articles_, byte, {}, &AssignmentFile::PlacedArticle::begin);
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
