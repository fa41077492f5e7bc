#include "shard/shard_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "bertprep/base/error.h"
#include "unit/shard/shard_rows.h"

namespace bertprep {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr ShardShape kShape{1, 6, 3};

// [CLS] a [SEP] b [SEP] and one position of padding; a masked.
Batch one_row() {
  Batch batch;
  batch.rows = 1;
  batch.input_ids = {101, 103, 102, 7, 102, 0};
  batch.input_mask = {1, 1, 1, 1, 1, 0};
  batch.segment_ids = {0, 0, 0, 1, 1, 0};
  batch.masked_lm_positions = {1, 3, 0};
  batch.masked_lm_ids = {0, 7, 0};
  batch.next_sentence_labels = {1};
  return batch;
}

std::vector<std::string> faults(const std::function<void(Batch&)>& spoil) {
  Batch batch = one_row();
  spoil(batch);
  return check_rows(batch, kShape, 40, 200);
}

TEST(CheckRows, AcceptsValidRows) {
  EXPECT_THAT(check_rows(one_row(), kShape, 0, 200), IsEmpty());
  const ShardShape shape{500, 128, 20};
  EXPECT_THAT(check_rows(test::valid_rows(shape, 1), shape, 0, 30522), IsEmpty());
}

TEST(CheckRows, NamesRowDatasetAndValue) {
  EXPECT_THAT(faults([](Batch& b) { b.input_mask[0] = 0; }),
              ElementsAre("row 40: input_mask starts with a 0: a row without tokens"));
  EXPECT_THAT(faults([](Batch& b) { b.input_mask[2] = 0; }),
              ElementsAre("row 40: input_mask[3] is 1, expected 0 after the last token"));
  EXPECT_THAT(faults([](Batch& b) { b.input_mask[5] = 2; }),
              ElementsAre("row 40: input_mask[5] is 2, expected 0 after the last token"));
  EXPECT_THAT(faults([](Batch& b) { b.input_ids[1] = -1; }),
              ElementsAre("row 40: input_ids[1] is -1, no id is negative"));
  EXPECT_THAT(faults([](Batch& b) { b.input_ids[1] = 200; }),
              ElementsAre("row 40: input_ids[1] is 200, the vocabulary has 200 pieces"));
  EXPECT_THAT(faults([](Batch& b) { b.input_ids[5] = 3; }),
              ElementsAre("row 40: input_ids[5] is 3, expected 0 in the padding"));
  EXPECT_THAT(faults([](Batch& b) { b.segment_ids[4] = 0; }), ElementsAre("row 40: segment_ids[4] is 0 after a 1"));
  EXPECT_THAT(faults([](Batch& b) { b.segment_ids[1] = 2; }),
              ElementsAre("row 40: segment_ids[1] is 2, expected 0 or 1"));
  EXPECT_THAT(faults([](Batch& b) { b.segment_ids[5] = 1; }),
              ElementsAre("row 40: segment_ids[5] is 1, expected 0 in the padding"));
  EXPECT_THAT(faults([](Batch& b) { b.masked_lm_positions[1] = 1; }),
              ElementsAre("row 40: masked_lm_positions[1] is 1, expected more than 1"));
  EXPECT_THAT(faults([](Batch& b) { b.masked_lm_positions[1] = 5; }),
              ElementsAre("row 40: masked_lm_positions[1] is 5, the row has 5 tokens"));
  EXPECT_THAT(faults([](Batch& b) { b.masked_lm_positions[0] = 0; }),
              ElementsAre("row 40: masked_lm_positions[1] is 3, expected 0 after the last position"));
  EXPECT_THAT(faults([](Batch& b) { b.masked_lm_positions[2] = -4; }),
              ElementsAre("row 40: masked_lm_positions[2] is -4, expected more than 3"));
  EXPECT_THAT(faults([](Batch& b) { b.masked_lm_ids[1] = 200; }),
              ElementsAre("row 40: masked_lm_ids[1] is 200, the vocabulary has 200 pieces"));
  EXPECT_THAT(faults([](Batch& b) { b.masked_lm_ids[2] = 1; }),
              ElementsAre("row 40: masked_lm_ids[2] is 1, expected 0 after the last position"));
  EXPECT_THAT(faults([](Batch& b) { b.next_sentence_labels[0] = -1; }),
              ElementsAre("row 40: next_sentence_labels is -1, expected 0 or 1"));
}

TEST(CheckRows, WithoutAVocabularyAnyIdGoes) {
  Batch batch = one_row();
  batch.input_ids[1] = 2000000000;
  EXPECT_THAT(check_rows(batch, kShape, 0, 0), IsEmpty());
}

TEST(CheckRows, StopsAfterSomeFaults) {
  const ShardShape shape{100, 8, 2};
  Batch batch = test::valid_rows(shape, 1);
  std::fill(batch.next_sentence_labels.begin(), batch.next_sentence_labels.end(), std::int8_t{9});
  EXPECT_EQ(check_rows(batch, shape, 0, 0).size(), kMaxRowFaults);
}

TEST(CheckRows, RefusesArraysOfAnotherShape) {
  EXPECT_THROW(check_rows(one_row(), {1, 7, 3}, 0, 0), FormatError);
}

}  // namespace
}  // namespace bertprep
