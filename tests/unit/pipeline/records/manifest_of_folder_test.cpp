#include "pipeline/records/manifest_of_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "bertprep/base/error.h"
#include "io/output_file.h"
#include "support/temp_folder.h"

namespace bertprep::test {
namespace {

using Records = std::vector<std::pair<std::string, CompletionRecord>>;

// The record of a shard with 64 unknown words. One occurs in two shards, and is forgotten between them if the shards
// are added up backward; each of the others occurs in one shard.
CompletionRecord record_of(std::size_t shard, const std::string& file) {
  TextCounts text;
  if (shard == 0 || shard == 100) text.unknown_words.add("repeated", 2);
  for (std::size_t i = 1; i < 64; ++i) text.unknown_words.add("word" + std::to_string(64 * shard + i), 3);
  CompletionRecord record{.key = "k", .outputs = {{file, 10 + shard, "sha256 of " + file}}};
  record.recipe.add("stage", Json::string("instances")).add("seq-len", Json::string("128"));
  record.recipe.add("max-predictions", Json::string("20")).add("masked-lm-prob", Json::string("0.15"));
  for (const char* name : {"rows", "documents", "sentences", "tokens"})
    record.counts.add(name, Json::number(shard + 1));
  record.counts.add("text_sha256", Json::string("sha256 of the text of " + file))
      .add(kShardCounts, shard_counts_json(text.to_json(), {.rows = shard + 1, .tokens = 100 * shard}));
  return record;
}

class ManifestOfFolderTest : public testing::Test {
 protected:
  static Records records(std::size_t count) {
    Records all;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string task = "set_training_" + std::to_string(i);
      all.emplace_back(task, record_of(i, task + ".hdf5"));
    }
    return all;
  }
  // On disk, with its shard.
  void write(const std::string& task, const CompletionRecord& record) {
    temp_.write("data/" + record.outputs.front().name, std::string(record.outputs.front().size_bytes, 'x'));
    folder_.write_record(task, record);
  }
  std::string merge(RecordSums& sums) { return merge_records(folder_, "set", {}, {}, sums).to_json(); }

  TempFolder temp_;
  OutputFolder folder_{temp_ / "data"};
};

// With so many different words, sums of the frequent ones depend on the order in which shards are added up.
TEST_F(ManifestOfFolderTest, DependsOnlyOnTheShards) {
  Records all = records(400);
  RecordSums forward;
  for (const auto& [task, record] : all) forward.add(folder_, task, record);
  const std::string manifest = merge(forward);
  EXPECT_NE(manifest.find("set_training_399.hdf5"), std::string::npos);
  EXPECT_NE(manifest.find("repeated"), std::string::npos);

  std::reverse(all.begin(), all.end());
  RecordSums backward;
  for (const auto& [task, record] : all) backward.add(folder_, task, record);
  EXPECT_EQ(merge(backward), manifest);

  RecordSums some;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i % 3 == 0) some.add(folder_, all[i].first, all[i].second);
    if (i % 3 != 0) write(all[i].first, all[i].second);
  }
  EXPECT_EQ(merge(some), manifest);
}

TEST_F(ManifestOfFolderTest, KnownRecordsAreNotReadAgain) {
  const Records all = records(2);
  for (const auto& [task, record] : all) write(task, record);
  RecordSums read;
  const std::string manifest = merge(read);
  RecordSums sums;
  for (const auto& [task, record] : all) sums.add(folder_, task, record);
  std::filesystem::resize_file(folder_.state_folder() / "records/set_training_1.json", 10);
  EXPECT_EQ(merge(sums), manifest);
  RecordSums none;
  EXPECT_EQ(merge(none).find("set_training_1.hdf5"), std::string::npos);
}

TEST_F(ManifestOfFolderTest, RefusesShardsOfTwoRecipes) {
  Records all = records(2);
  all[1].second.recipe.add("dupe-factor", Json::string("7"));
  RecordSums sums;
  sums.add(folder_, all[0].first, all[0].second);
  EXPECT_THROW(sums.add(folder_, all[1].first, all[1].second), FormatError);
}

}  // namespace
}  // namespace bertprep::test
