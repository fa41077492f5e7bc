#include "bertprep/shard/row_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "bertprep/base/error.h"
#include "bertprep/shard/manifest.h"
#include "shard/hdf5/file_digest.h"
#include "support/temp_folder.h"
#include "support/thrown.h"
#include "unit/shard/shard_rows.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;

class ShardSetTest : public testing::Test {
 protected:
  void add(const std::string& name, const ShardShape& shape) {
    write_shard(folder_ / name, shape, valid_rows(shape, 1, 90));
  }
  void add_manifest(const std::vector<std::string>& names) {
    Manifest manifest;
    manifest.dataset = "a";
    manifest.recipe = {{"vocab-size", "90"}};
    for (const std::string& name : names) {
      const FileDigest digest = digest_file(folder_ / name);
      manifest.shards.push_back({name, 4, digest.bytes, digest.sha256, ""});
    }
    std::ofstream(folder_ / Manifest::kFileName) << manifest.to_json();
  }
  ShardSet list(const std::string& word = "training") { return list_shards(folder_.path(), word, true); }
  // The message of what `call` throws.
  TempFolder folder_;
  Progress progress_;
};

TEST_F(ShardSetTest, TakesTheNamedShardsInOrder) {
  add("a_training_10.hdf5", {4, 12, 3});
  add("a_training_2.hdf5", {6, 12, 3});
  add("a_test_0.hdf5", {3, 12, 3});
  std::ofstream(folder_ / "a_training_3.md5") << "no shard";
  const ShardSet set = list();
  ASSERT_EQ(set.shards.size(), 2U);
  EXPECT_EQ(set.shards[0].path.filename(), "a_training_10.hdf5");
  EXPECT_EQ(set.rows(), 10U);
  EXPECT_EQ(set.seq_len, 12U);
  EXPECT_FALSE(set.vocab_size);
  EXPECT_EQ(list("test").rows(), 3U);
  EXPECT_NE(set.fingerprint(), list("test").fingerprint());
}

TEST_F(ShardSetTest, SaysWhereShardsAre) {
  std::filesystem::create_directories(folder_ / "phase1");
  add("phase1/a_training_0.hdf5", {4, 12, 3});
  EXPECT_THAT(thrown_by([&] { list(); }), HasSubstr("phase1"));
  EXPECT_THAT(thrown_by([&] { list_shards(folder_ / "nowhere", "training", true); }), HasSubstr("nowhere"));
  EXPECT_TRUE(list_shards(folder_.path(), "training", false).shards.empty());
}

TEST_F(ShardSetTest, RefusesNoRows) {
  add("a_training_0.hdf5", {0, 12, 3});
  EXPECT_THROW(list(), ConfigError);
}

TEST_F(ShardSetTest, RefusesOtherLengths) {
  add("a_training_0.hdf5", {4, 12, 3});
  add("a_training_1.hdf5", {4, 16, 3});
  EXPECT_THAT(thrown_by([&] { list(); }), HasSubstr("16 tokens"));
}

TEST_F(ShardSetTest, RefusesOtherFiles) {
  std::ofstream(folder_ / "a_training_0.hdf5") << "no HDF5";
  EXPECT_THROW(list(), FormatError);
}

TEST_F(ShardSetTest, ChecksTokenIds) {
  add("a_training_0.hdf5", {4, 12, 3});
  check_shards(list(), 90, progress_);
  EXPECT_THAT(thrown_by([&] { check_shards(list(), 40, progress_); }),
              testing::AllOf(HasSubstr("row 0: input_ids"), HasSubstr("vocabulary of 40"), HasSubstr("config.json")));
  const ShardShape shape{4, 12, 3};
  Batch rows = valid_rows(shape, 1, 90);
  rows.masked_lm_ids[2 * 3] = 90;
  write_shard(folder_ / "a_training_0.hdf5", shape, rows);
  EXPECT_THAT(thrown_by([&] { check_shards(list(), 90, progress_); }),
              HasSubstr("row 2: masked_lm_ids has token id 90"));
}

TEST_F(ShardSetTest, TheLastWordOfANameCounts) {
  add("latest_training_0.hdf5", {4, 12, 3});
  add("training-corpus_test_0.hdf5", {5, 12, 3});
  add("a.test.training.h5", {6, 12, 3});
  EXPECT_EQ(list("training").rows(), 10U);
  EXPECT_EQ(list("test").rows(), 5U);
}

TEST_F(ShardSetTest, RefusesALinkToNothing) {
  add("a_training_0.hdf5", {4, 12, 3});
  std::filesystem::create_symlink(folder_ / "nowhere", folder_ / "a_training_1.hdf5");
  EXPECT_THAT(thrown_by([&] { list(); }), HasSubstr("a_training_1.hdf5"));
}

TEST_F(ShardSetTest, ReportsMissingShardsOfTheManifest) {
  for (const char* name : {"a_training_0.hdf5", "a_training_1.hdf5", "a_test_0.hdf5"}) add(name, {4, 12, 3});
  add_manifest({"a_training_0.hdf5", "a_training_1.hdf5", "a_test_0.hdf5"});
  std::filesystem::remove(folder_ / "a_test_0.hdf5");
  require_whole(folder_.path(), "training");
  std::filesystem::remove(folder_ / "a_training_1.hdf5");
  EXPECT_THAT(
      thrown_by([&] { require_whole(folder_.path(), "training"); }),
      testing::AllOf(HasSubstr("a_training_1.hdf5: is in the manifest, but missing"), HasSubstr("`incomplete`")));
  check_shards(list(), 90, progress_);
}

TEST_F(ShardSetTest, ReportsGapsInTheNames) {
  for (const char* name : {"a_training_0.hdf5", "a_training_2.hdf5", "a_test_0.hdf5"}) add(name, {4, 12, 3});
  require_whole(folder_.path(), "test");
  EXPECT_THAT(thrown_by([&] { require_whole(folder_.path(), "training"); }),
              testing::AllOf(HasSubstr("a_training_1.hdf5: is missing"), HasSubstr("`incomplete`")));
}

TEST_F(ShardSetTest, FindsInvalidRows) {
  const ShardShape shape{4, 12, 3};
  ShardSet set;
  set.seq_len = 12;
  set.vocab_size = 90;
  const auto verdict = [&](const Batch& rows) {
    return thrown_by([&] { require_in_range(rows, 100, set, "a_training_0.hdf5"); });
  };
  const Batch valid = valid_rows(shape, 1, 90);
  EXPECT_EQ(verdict(valid), "nothing thrown");
  const auto broken = [&](const auto& change) {
    Batch rows = valid;
    change(rows);
    return verdict(rows);
  };
  EXPECT_THAT(broken([](Batch& rows) { rows.input_ids[12] = 90; }), HasSubstr("row 101: input_ids"));
  EXPECT_THAT(broken([](Batch& rows) { rows.input_ids[12] = -1; }), HasSubstr("row 101: input_ids"));
  EXPECT_THAT(broken([](Batch& rows) { rows.masked_lm_ids[3] = -1; }), HasSubstr("row 101: masked_lm_ids"));
  EXPECT_THAT(broken([](Batch& rows) { rows.masked_lm_positions[8] = 12; }), HasSubstr("row 102: masked_lm_positions"));
  EXPECT_THAT(broken([](Batch& rows) { rows.segment_ids[47] = 2; }), HasSubstr("row 103: segment_ids"));
  EXPECT_THAT(broken([](Batch& rows) { rows.next_sentence_labels[0] = 2; }), HasSubstr("row 100: next_sentence"));
}

TEST_F(ShardSetTest, ChecksRows) {
  const ShardShape shape{4, 12, 3};
  Batch rows = valid_rows(shape, 1, 90);
  rows.next_sentence_labels[2] = 7;
  write_shard(folder_ / "a_training_0.hdf5", shape, rows);
  EXPECT_THROW(check_shards(list(), 90, progress_), FormatError);
}

TEST_F(ShardSetTest, ChecksDigests) {
  add("a_training_0.hdf5", {4, 12, 3});
  add("a_training_1.hdf5", {4, 12, 3});
  add_manifest({"a_training_0.hdf5", "a_training_1.hdf5"});
  EXPECT_EQ(list().vocab_size, 90);
  check_shards(list(), 90, progress_);
  add("a_training_1.hdf5", {5, 12, 3});
  EXPECT_THAT(thrown_by([&] { check_shards(list(), 90, progress_); }), HasSubstr("a_training_1.hdf5"));
  add_manifest({"a_training_0.hdf5"});
  EXPECT_THAT(thrown_by([&] { check_shards(list(), 90, progress_); }), HasSubstr("not in the manifest"));
}

TEST_F(ShardSetTest, StopsWhenRequested) {
  struct Impatient final : Progress {
    bool cancelled() const override { return true; }
  } impatient;
  add("a_training_0.hdf5", {4, 12, 3});
  EXPECT_THROW(check_shards(list(), 90, impatient), Cancelled);
  EXPECT_THROW(list_shards(folder_.path(), "training", true, impatient), Cancelled);
}

}  // namespace
}  // namespace bertprep::test
