#include "shard/expected_content.h"

#include <algorithm>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "io/record_files.h"
#include "io/state_folder.h"

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
    for (const Json& shard : announcement.at("shards").items()) expected.announced.push_back(shard.text());
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

}  // namespace bertprep
