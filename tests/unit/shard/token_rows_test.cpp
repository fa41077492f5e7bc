// Token sequences as rows: files, folders with the manifest of a set, and refusals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>
#include <span>

#include "bertprep/base/error.h"
#include "bertprep/shard/row_stream.h"
#include "io/digest.h"
#include "io/json.h"
#include "shard/hdf5/token_file.h"
#include "shard/shard_check.h"
#include "shard/token_set.h"
#include "support/file_tree.h"
#include "support/golden_data.h"
#include "support/temp_folder.h"
#include "support/thrown.h"
#include "unit/shard/shard_rows.h"

namespace bertprep::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class TokenRowsTest : public testing::Test {
 protected:
  // Rows of four tokens.
  void add(const std::string& name, const std::vector<std::int32_t>& ids) {
    TokenFileWriter file({.column = "input_ids", .length = 4});
    for (std::size_t i = 0; i < ids.size(); i += 4) file.add(std::span(ids).subspan(i, 4));
    file.write(folder_ / name);
  }
  // Rows of up to four tokens, padded by 9.
  void add_padded(const std::string& name, const std::vector<std::vector<std::int32_t>>& rows) {
    TokenFileWriter file({.column = "input_ids", .length = 4, .pad = 9, .has_mask = true});
    for (const auto& row : rows) file.add(row);
    file.write(folder_ / name);
  }
  void replace_mask(const std::string& name, const std::vector<std::int8_t>& mask) const {
    const hid_t file = H5Fopen((folder_ / name).c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t dataset = H5Dopen2(file, kMaskColumn, H5P_DEFAULT);
    EXPECT_GE(H5Dwrite(dataset, H5T_NATIVE_SCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, mask.data()), 0);
    H5Dclose(dataset);
    H5Fclose(file);
  }
  void add_manifest(const std::vector<std::string>& names) {
    Json files = Json::array();
    for (const std::string& name : names) {
      files.push(Json::object()
                     .add("name", Json::string(name))
                     .add("sha256", Json::string(sha256_of(read_bytes(folder_ / name)))));
    }
    Json recipe = Json::object();
    recipe.add("vocab-sha256", Json::string("ab")).add("vocab-size", Json::string("50"));
    folder_.write("manifest.json", seal(std::move(Json::object()
                                                      .add("format", Json::string("bertprep-sequences"))
                                                      .add("vocabulary", Json::string("gpt2"))
                                                      .add("recipe", std::move(recipe))
                                                      .add("files", std::move(files)))));
  }
  ShardSet list() const { return list_shards(folder_.path(), "training", true, {}, RowContent::kTokens); }
  TempFolder folder_;
  Progress progress_;
};

TEST_F(TokenRowsTest, WritingStopsWhenCancelled) {
  struct Cancelling final : Progress {
    bool cancelled() const override { return --left_ < 0; }
    mutable int left_ = 3;
  };
  TokenFileWriter file({.column = "input_ids", .length = 128});
  for (int row = 0; row < 1 << 13; ++row) file.add(std::vector<std::int32_t>(128, 7));
  EXPECT_THROW(file.write(folder_ / "blocks.hdf5", Cancelling()), Cancelled);
}

TEST_F(TokenRowsTest, AreReadWithTheirMask) {
  add("blocks.hdf5", {1, 2, 3, 4, 5, 6, 7, 8});
  add_padded("rows.hdf5", {{1, 2, 3}, {5}});
  Batch batch;
  ShardReader blocks(folder_ / "blocks.hdf5", RowContent::kTokens);
  EXPECT_EQ(blocks.shape().rows, 2U);
  EXPECT_EQ(blocks.shape().max_predictions, 0U);
  blocks.read(0, 2, batch);
  EXPECT_THAT(batch.input_ids, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
  EXPECT_THAT(batch.input_mask, testing::Each(1));
  EXPECT_THAT(batch.segment_ids, testing::Each(0));
  ShardReader(folder_ / "rows.hdf5", RowContent::kTokens).read(1, 1, batch);
  EXPECT_THAT(batch.input_ids, ElementsAre(5, 9, 9, 9));
  EXPECT_THAT(batch.input_mask, ElementsAre(1, 0, 0, 0));
  EXPECT_EQ(row_content(folder_ / "rows.hdf5"), RowContent::kTokens);
}

TEST_F(TokenRowsTest, StreamAsOthers) {
  add("x_training_0.hdf5", {1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3});
  add("x_training_1.hdf5", {4, 4, 4, 4});
  const ShardSet set = list();
  const RowOrder order(set, 1);
  RowStream stream(set, order, 0);
  TrainingBatch batch;
  stream.next(4, batch);
  std::vector<std::int32_t> first;
  for (std::size_t i = 0; i < 16; i += 4) first.push_back(batch.rows.input_ids[i]);
  EXPECT_THAT(first, testing::UnorderedElementsAre(1, 2, 3, 4));
}

TEST_F(TokenRowsTest, TheManifestOfASetIsKnown) {
  add("x_training_0.hdf5", {1, 2, 3, 4});
  add("x_test_0.hdf5", {1, 2, 3, 60});
  folder_.write("vocab.json", "{}");
  EXPECT_FALSE(TokenSet::load(folder_.path()));
  add_manifest({"x_training_0.hdf5", "x_test_0.hdf5", "vocab.json"});
  const ShardSet set = list();
  EXPECT_EQ(set.vocab_size, 50);
  EXPECT_EQ(set.vocabulary->name, "gpt2");
  EXPECT_EQ(set.vocabulary->sha256, "ab");
  require_whole(folder_.path(), "training");
  check_shards(set, 50, progress_);
  const ShardSet test = list_shards(folder_.path(), "test", true, {}, RowContent::kTokens);
  EXPECT_THAT(thrown_by([&] { check_shards(test, 50, progress_); }), HasSubstr("token id 60"));
  add("x_training_0.hdf5", {1, 2, 3, 5});
  EXPECT_THAT(thrown_by([&] { check_shards(set, 50, progress_); }), HasSubstr("that the manifest describes"));
  std::filesystem::remove(folder_ / "x_training_0.hdf5");
  EXPECT_THAT(thrown_by([&] { require_whole(folder_.path(), "training"); }), HasSubstr("x_training_0.hdf5"));
}

TEST_F(TokenRowsTest, FillSeveralChunksAndPartOfTheLast) {
  constexpr int kRows = 600;  // 256 in a chunk
  TokenFileWriter file({.column = "input_ids", .length = 128, .pad = 9, .has_mask = true});
  for (int row = 0; row < kRows; ++row) {
    file.add(std::vector<std::int32_t>(static_cast<std::size_t>(1 + row % 128), row));
  }
  file.write(folder_ / "rows.hdf5");
  ShardReader reader(folder_ / "rows.hdf5", RowContent::kTokens);
  ASSERT_EQ(reader.shape().rows, std::size_t{kRows});
  Batch batch;
  for (const int row : {0, 255, 256, 511, 512, 599}) {
    reader.read(static_cast<std::size_t>(row), 1, batch);
    std::vector<std::int32_t> ids(static_cast<std::size_t>(1 + row % 128), row);
    EXPECT_EQ(std::ranges::count(batch.input_mask, 1), std::ssize(ids));
    ids.resize(128, 9);
    EXPECT_EQ(batch.input_ids, ids);
  }
}

TEST_F(TokenRowsTest, OtherContentIsRefused) {
  write_shard(folder_ / "x_training_0.hdf5", {2, 8, 3}, valid_rows({2, 8, 3}, 1));
  EXPECT_THAT(thrown_by([&] { list(); }), HasSubstr("has rows for BERT"));
  std::filesystem::remove(folder_ / "x_training_0.hdf5");
  add("x_training_0.hdf5", {1, 2, 3, 4});
  EXPECT_THAT(thrown_by([&] { list_shards(folder_.path(), "training", true); }), HasSubstr("has token sequences"));
}

TEST_F(TokenRowsTest, FaultsAreNamed) {
  const auto fault = [&](const std::vector<std::vector<std::int32_t>>& rows) {
    add_padded("x_training_0.hdf5", rows);
    return thrown_by([&] { check_shards(list(), 50, progress_); });
  };
  EXPECT_EQ(fault({{1, 2}}), "nothing thrown");
  EXPECT_THAT(fault({{1, 2, 3, -4}}), HasSubstr("row 0: input_ids[3] is -4"));
  EXPECT_THAT(fault({{1, 2, 3, 4}, {}}), HasSubstr("row 1: its mask counts no token"));
  add_padded("x_training_0.hdf5", {{1, 2}});
  replace_mask("x_training_0.hdf5", {1, 0, 1, 0});
  EXPECT_THAT(thrown_by([&] { check_shards(list(), 50, progress_); }), HasSubstr("attention_mask[2]"));
}

}  // namespace
}  // namespace bertprep::test
