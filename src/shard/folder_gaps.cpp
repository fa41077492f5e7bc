#include "shard/folder_gaps.h"

#include <algorithm>
#include <set>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "bertprep/shard/manifest.h"
#include "io/digest.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "io/record_files.h"
#include "io/state_folder.h"
#include "shard/shard_names.h"
#include "shard/token_set.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAnnouncement = "array-";

void take_run(const Json& run, ExpectedContent& expected) {
  const std::string& name = run.at("dataset").text();
  const std::uint64_t training = run.at("train-shards").as_unsigned();
  const std::uint64_t test = run.at("test-shards").as_unsigned();
  if (training != 0) expected.planned[name + "_training"] = training;
  if (test != 0) expected.planned[name + "_test"] = test;
}

void take_announcement(const Json& announcement, ExpectedContent& expected) {
  if (announcement.find("job") != nullptr) {
    expected.has_array_job = true;
  } else {
    for (std::string& shard : texts_in(announcement.at("shards"))) expected.announced.push_back(std::move(shard));
  }
}

// Throws FormatError unless all members are strings.
const Json& checked_recipe(const Json& recipe) {
  for (const auto& [name, value] : recipe.members()) value.text();
  return recipe;
}

std::optional<std::uint64_t> count_of(const Json& record, const char* name) {
  const Json* counts = record.find("counts");
  const Json* count = counts == nullptr ? nullptr : counts->find(name);
  return count == nullptr ? std::nullopt : std::optional(count->as_unsigned());
}

void take_record(const Json& record, ExpectedContent& expected) {
  for (const Json& output : record.at("outputs").items()) {
    const std::string& file = output.at("name").text();
    if (file.ends_with(".hdf5")) {
      expected.recorded.push_back({file, checked_recipe(record.at("recipe")), count_of(record, "documents"),
                                   count_of(record, "sentences"), count_of(record, "tokens")});
    }
  }
}

// Ignores damaged documents.
template <class Take>
void take_sealed(const std::optional<std::string>& bytes, Take take) {
  if (!bytes) return;
  try {
    take(parse_sealed(*bytes, {}));
  } catch (const Error&) {
    return;
  }
}

void take_announced(const fs::path& file, ExpectedContent& expected) {
  try {
    const std::string bytes = read_file(file);
    if (announcement_name(bytes) == file.filename()) take_announcement(Json::parse(bytes, file.string()), expected);
  } catch (const Error&) {
    return;
  }
}

using Files = std::set<std::string>;
using Gaps = std::map<std::string, std::string>;  // what is wrong, by file; the first one counts

Files shards_in(const fs::path& folder) {
  Files files;
  for (const auto& entry : list_folder(folder)) {
    if (is_shard_name(entry.path())) files.insert(entry.path().filename().string());
  }
  return files;
}

// "x_training_7.hdf5" is number 7 of the series "x_training".
struct NumberedName {
  std::string series;
  std::uint64_t number = 0;
};

std::optional<NumberedName> numbered(const std::string& file) {
  const std::string stem = fs::path(file).stem().string();
  const std::size_t underscore = stem.rfind('_');
  if (underscore == std::string::npos) return std::nullopt;
  NumberedName name{stem.substr(0, underscore)};
  if (!name.series.ends_with("_training") && !name.series.ends_with("_test")) return std::nullopt;
  const auto number = number_in<std::uint64_t>(stem.substr(underscore + 1));
  if (!number) return std::nullopt;
  name.number = *number;
  return name;
}

struct Series {
  std::set<std::uint64_t> there{};
  std::uint64_t planned = 0;  // 0: unknown
  std::string extension = ".hdf5";
};

std::map<std::string, Series> series_of(const Files& files, const ExpectedContent& expected) {
  std::map<std::string, Series> all;
  for (const std::string& file : files) {
    const auto name = numbered(file);
    if (!name) continue;
    Series& series = all[name->series];
    series.there.insert(name->number);
    series.extension = fs::path(file).extension().string();
  }
  for (const auto& [name, count] : expected.planned) all[name].planned = count;
  return all;
}

// Reports consecutive missing numbers once, as a name may contain any number.
void add_numbers(const std::string& name, const Series& series, Gaps& gaps) {
  const auto file = [&](std::uint64_t number) { return name + "_" + std::to_string(number) + series.extension; };
  const std::string reason = series.planned != 0 ? "the run makes " + std::to_string(series.planned)
                                                 : "the names go up to " + file(*series.there.rbegin());
  const auto add = [&](std::uint64_t first, std::uint64_t end) {
    if (first >= end) return;
    if (end - first == 1) {
      gaps.try_emplace(file(first), "is missing: " + reason);
    } else {
      gaps.try_emplace(file(first) + " to " + file(end - 1), "are missing: " + reason);
    }
  };
  std::uint64_t next = 0;
  for (const std::uint64_t number : series.there) {
    if (series.planned != 0 && number >= series.planned) {
      gaps.try_emplace(file(number), "belongs to another run: this one makes " + std::to_string(series.planned));
      continue;
    }
    add(next, number);
    next = number + 1;
  }
  add(next, series.planned);
}

std::string difference(const Json& left, const Json& right) {
  for (const auto& [name, value] : left.members()) {
    const Json* other = right.find(name);
    const std::string other_text = other == nullptr ? "absent" : other->text();
    if (value.text() != other_text) return name + " is " + other_text + " and " + value.text();
  }
  return "they differ";
}

void add_records(const std::vector<RecordedShard>& recorded, const Files& files, Gaps& gaps) {
  const RecordedShard* first = nullptr;
  for (const RecordedShard& record : recorded) {
    if (!files.contains(record.file)) {
      gaps.try_emplace(record.file, "is missing: its completion record exists");
    } else if (first == nullptr) {
      first = &record;
    } else if (record.recipe.dump_line() != first->recipe.dump_line()) {
      gaps.try_emplace(record.file, "was made with another recipe than " + first->file + ": " +
                                        difference(first->recipe, record.recipe));
    }
  }
}

Gaps gaps_of(const fs::path& folder, const Manifest& manifest, const Files& files) {
  Gaps gaps;
  for (const ManifestShard& shard : manifest.shards) {
    if (!files.contains(shard.file)) gaps.try_emplace(shard.file, "is in the manifest, but missing");
  }
  if (manifest.vocabulary && !fs::exists(folder / ManifestVocab::kFileName)) {
    gaps.try_emplace(ManifestVocab::kFileName, "is in the manifest, but missing");
  }
  return gaps;
}

Gaps gaps_of(const fs::path& folder, const TokenSet& set) {
  Gaps gaps;
  for (const TokenSetFile& file : set.files) {
    if (!fs::exists(folder / file.name)) gaps.try_emplace(file.name, "is in the manifest, but missing");
  }
  return gaps;
}

Gaps gaps_of(const ExpectedContent& expected, const Files& files) {
  Gaps gaps;
  for (const auto& [name, series] : series_of(files, expected)) add_numbers(name, series, gaps);
  for (const std::string& file : expected.announced) {
    if (!files.contains(file)) gaps.try_emplace(file, "is missing: an array job has yet to make it");
  }
  add_records(expected.recorded, files, gaps);
  if (!expected.is_silent()) {
    gaps.try_emplace(Manifest::kFileName,
                     expected.has_array_job || !expected.announced.empty()
                         ? "is missing: the array job is not finished; run its remaining tasks, and its stage finish"
                         : "is missing: the run is not finished; run the same command again");
  }
  return gaps;
}

}  // namespace

// Equal announcements have equal names, so that the tasks of one array write one file; and the name reveals damage.
std::string announcement_name(const std::string& bytes) {
  return std::string(kAnnouncement) + sha256_of(bytes).substr(0, 12) + ".json";
}

bool is_announcement(const fs::path& file) {
  return file.filename().string().starts_with(kAnnouncement) && file.extension() == ".json";
}

ExpectedContent expected_content(const fs::path& folder) {
  ExpectedContent expected;
  const auto state = find_state_folder(folder);
  if (!state) return expected;
  take_sealed(read_file_if_any(*state / "run.json"), [&](const Json& json) { take_run(json, expected); });
  for (const auto& entry : list_folder_if_any(*state)) {
    if (is_announcement(entry.path())) take_announced(entry.path(), expected);
  }
  RecordFiles records(*state);
  for (const std::string& task : records.tasks()) {
    take_sealed(records.read(task), [&](const Json& json) { take_record(json, expected); });
  }
  std::sort(expected.recorded.begin(), expected.recorded.end(),
            [](const RecordedShard& left, const RecordedShard& right) { return left.file < right.file; });
  return expected;
}

std::vector<FolderGap> find_gaps(const fs::path& folder) {
  const Files files = shards_in(folder);
  const fs::path manifest = folder / Manifest::kFileName;
  const auto tokens = TokenSet::load(folder);
  const Gaps gaps = tokens                 ? gaps_of(folder, *tokens)
                    : fs::exists(manifest) ? gaps_of(folder, Manifest::load(manifest), files)
                                           : gaps_of(expected_content(folder), files);
  std::vector<FolderGap> list;
  for (const auto& [file, text] : gaps) list.push_back({file, text});
  return list;
}

}  // namespace bertprep
