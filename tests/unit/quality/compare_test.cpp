#include "quality/compare.h"

#include <gmock/gmock.h>

#include <fstream>

#include "bertprep/base/error.h"
#include "bertprep/shard/manifest.h"
#include "unit/quality/valid_set.h"

namespace bertprep::test {
namespace {

class CompareTest : public ValidSetTest {
 protected:
  void SetUp() override {
    for (const char* name : {"a", "b"}) std::filesystem::create_directories(folder_ / name);
  }
  Comparison compare() {
    Progress progress;
    return compare_sets(folder_ / "a", folder_ / "b", progress);
  }
};

TEST_F(CompareTest, FindsTheSameRowsInOtherFiles) {
  const Batch rows = rows_of(1);
  add("a/x_training_2.hdf5", slice(rows, kShape, 0, 30));
  add("a/x_training_10.hdf5", slice(rows, kShape, 30, 10));
  add("b/y_training_0.hdf5", rows);
  const Comparison comparison = compare();
  ASSERT_EQ(comparison.parts.size(), 1U);
  EXPECT_EQ(comparison.parts.front().part, "training");
  EXPECT_TRUE(comparison.same_order() && comparison.same_rows());
  EXPECT_FALSE(comparison.parts.front().first);
}

TEST_F(CompareTest, FindsTheSameRowsInAnotherOrder) {
  const Batch rows = rows_of(1);
  add("a/x_training_0.hdf5", rows);
  add("b/x_training_0.hdf5", slice(rows, kShape, 20, 20));
  add("b/x_training_1.hdf5", slice(rows, kShape, 0, 20));
  const Comparison comparison = compare();
  EXPECT_FALSE(comparison.same_order());
  EXPECT_TRUE(comparison.same_rows());
  EXPECT_EQ(comparison.parts.front().common, 40U);
  EXPECT_EQ(comparison.parts.front().first->place_b, "x_training_0.hdf5: row 0");
}

TEST_F(CompareTest, FindsTheFirstRowThatDiffers) {
  Batch rows = rows_of(1);
  add("a/x_training_0.hdf5", rows);
  rows.input_ids[7 * kShape.seq_len + 3] = 1;
  rows.next_sentence_labels[30] = 9;
  add("b/x_training_0.hdf5", rows);
  const Comparison comparison = compare();
  EXPECT_FALSE(comparison.same_rows());
  const RowsCompared& part = comparison.parts.front();
  EXPECT_EQ(part.first->place_a, "x_training_0.hdf5: row 7");
  EXPECT_THAT(part.first->what, testing::StartsWith("input_ids[3] is "));
  EXPECT_EQ(part.common, 38U);
  EXPECT_EQ(part.common_of, 40U);
}

TEST_F(CompareTest, KeepsTrainingAndTestApart) {
  const Batch rows = rows_of(1);
  add("a/x_training_0.hdf5", rows);
  add("a/x_test_0.hdf5", slice(rows, kShape, 0, 1));
  add("b/x_training_0.hdf5", slice(rows, kShape, 0, 39));
  add("b/x_test_0.hdf5", slice(rows, kShape, 39, 1));
  const Comparison comparison = compare();
  ASSERT_EQ(comparison.parts.size(), 2U);
  EXPECT_EQ(comparison.parts.front().first->place_b, "");
  EXPECT_EQ(comparison.parts.front().common, 39U);
  EXPECT_FALSE(comparison.same_rows());
}

TEST_F(CompareTest, TakesAllRowsWhereNamesSayNothing) {
  const Batch rows = rows_of(1);
  add("a/x_training_0.hdf5", rows);
  add("b/part-0.h5", rows);
  EXPECT_TRUE(compare().same_order());
  EXPECT_EQ(compare().parts.front().part, "all");
}

TEST_F(CompareTest, NamesTheOptionsThatDiffer) {
  for (const char* name : {"a", "b"}) {
    const bool is_a = name[0] == 'a';
    add(std::string(name) + "/x_training_0.hdf5", rows_of(1));
    Manifest manifest;
    manifest.recipe = {{"dupe-factor", is_a ? "5" : "10"}, {"seq-len", "24"}, {is_a ? "layout" : "style", "1"}};
    std::ofstream(folder_ / name / Manifest::kFileName) << manifest.to_json();
  }
  std::string text;
  for (const RecipeDifference& option : compare().recipes) text += option.name + " " + option.a + " " + option.b + "\n";
  EXPECT_EQ(text, "dupe-factor 5 10\nlayout 1 absent\nstyle absent 1\n");
}

TEST_F(CompareTest, RefusesWhatHoldsNoShards) {
  add("a/x_training_0.hdf5", rows_of(1));
  EXPECT_THROW(compare(), FormatError);
}

TEST(RowBagTest, ComparesAPartOfManyRows) {
  RowBag left(100);
  RowBag right(100);
  RowBag other(100);
  for (std::uint64_t i = 0; i < 10000; ++i) {
    const std::uint64_t digest = (i + 1) * 0x9e3779b97f4a7c15ULL >> 3U;
    left.add(digest);
    if (i % 2 == 0) right.add(digest);
    other.add(digest);
  }
  EXPECT_TRUE(same_rows(left, other));
  EXPECT_FALSE(same_rows(left, right));
  const RowBag::Common common = common_rows(left, right);
  EXPECT_GE(common.one_in, 64U);
  EXPECT_NEAR(static_cast<double>(common.rows) / static_cast<double>(common.of), 0.5, 0.2);
}

TEST(RowBagTest, CountsEachRowAsOftenAsItIsThere) {
  RowBag left;
  RowBag right;
  for (const std::uint64_t digest : {1U, 1U, 2U}) left.add(digest);
  for (const std::uint64_t digest : {1U, 2U, 2U}) right.add(digest);
  EXPECT_FALSE(same_rows(left, right));
  EXPECT_EQ(common_rows(left, right).rows, 2U);
}

}  // namespace
}  // namespace bertprep::test
