// A sealed record that lacks its stage's counts counts as missing: the stage is done again.
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "io/input_file.h"
#include "io/json.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/output_folder.h"
#include "unit/pipeline/small_run.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;

Json without(const Json& object, const std::string& name) {
  Json rest = Json::object();
  for (const auto& [key, value] : object.members()) {
    if (key != name) rest.add(key, value);
  }
  return rest;
}

// The first record of every stage, by the path of a file of its own.
std::map<fs::path, std::string> records_below(const fs::path& folder) {
  std::map<std::string, std::pair<fs::path, std::string>> first;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().filename() != "records") continue;
    RecordFiles files(entry.path().parent_path());
    for (const std::string& task : files.tasks()) {
      const std::string bytes = *files.read(task);
      const std::string stage = parse_record(bytes, task).recipe.at("stage").text();
      first.try_emplace(stage, entry.path() / (task + ".json"), bytes);
    }
  }
  std::map<fs::path, std::string> records;
  for (auto& [stage, record] : first) records.insert(std::move(record));
  return records;
}

std::map<std::string, std::string> shards_without_counts(const TempFolder& folder) {
  std::map<std::string, std::string> shards;
  for (const auto& entry : fs::recursive_directory_iterator(folder / "root")) {
    if (entry.path().extension() == ".hdf5") shards[entry.path().string()] = read_file(entry.path());
  }
  return shards;
}

TEST(LackingCounts, AreMadeAgain) {
  const TempFolder folder;
  PipelineOptions options = small_options(folder);
  options.work.keep = {.download = false};
  small_build(folder, options);
  const std::map<std::string, std::string> made = shards_without_counts(folder);
  const std::map<fs::path, std::string> records = records_below(folder.path());
  EXPECT_EQ(records.size(), 3U) << "format, shard, instances";
  for (const auto& [path, bytes] : records) {
    const Json whole = without(parse_sealed(bytes, path.string()), "document_sha256");
    for (const auto& [name, value] : whole.at("counts").members()) {
      SCOPED_TRACE(path.string() + " without " + name);
      Json lacking = Json::object();
      for (const auto& [key, member] : whole.members()) {
        lacking.add(key, key == "counts" ? without(member, name) : member);
      }
      folder.write(path.lexically_relative(folder.path()).string(), seal(lacking));
      EXPECT_NO_THROW(small_build(folder, options));
      EXPECT_EQ(shards_without_counts(folder), made);
    }
  }
}

TEST(LackingCounts, OfArrayJobsCountAsNone) {
  const TempFolder temp;
  const OutputFolder folder(temp / "data");
  for (const char* stage : {kPieceStage, kAssignmentStage}) {
    CompletionRecord record{.key = "k", .outputs = {}};
    record.recipe.add("stage", Json::string(stage));
    for (const char* name :
         {"documents", "articles", "sentences", "rejected", "text_bytes", "file_bytes", "has_origins"}) {
      record.counts.add(name, Json::number(1));
    }
    folder.write_record("t", record);
    EXPECT_FALSE(folder.record("t")) << stage;
    record.counts.add("text_sha256", Json::string("0"));
    folder.write_record("t", record);
    EXPECT_TRUE(folder.record("t")) << stage;
  }
}

}  // namespace
}  // namespace bertprep::test
