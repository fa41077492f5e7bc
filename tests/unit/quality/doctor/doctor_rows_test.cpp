// Doctor's findings in rows. Each test changes one thing in a sound set, and nothing else may be found.
#include <gmock/gmock.h>

#include <algorithm>

#include "unit/quality/valid_set.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class DoctorRowsTest : public ValidSetTest {};

constexpr std::size_t kTokens = kShape.seq_len;
constexpr std::size_t kPredictions = kShape.max_predictions;

TEST_F(DoctorRowsTest, SaysNothingOfValidRows) {
  add_valid();
  EXPECT_EQ(found(), "");
  for (const TrainerKind trainer :
       {TrainerKind::kNvidia, TrainerKind::kHabana, TrainerKind::kNeuron, TrainerKind::kBerttrain}) {
    EXPECT_EQ(found({.trainers = {trainer}, .ranks = 2, .micro_batch = 8, .max_predictions = 4, .model_pieces = 3000}),
              "");
  }
}

TEST_F(DoctorRowsTest, FindsAZeroAmongPositions) {
  add_changed([](Batch& rows) { rows.masked_lm_positions[7 * kPredictions + 1] = 0; });
  EXPECT_EQ(found(), "zero-position at x_training_1.hdf5:7: masked_lm_positions[2] is 10 after a 0 at [1]\n");
}

TEST_F(DoctorRowsTest, FindsPositionZeroAlone) {
  add_changed([](Batch& rows) {
    std::fill_n(rows.masked_lm_positions.begin() + 3 * kPredictions, kPredictions, 0);
    std::fill_n(rows.masked_lm_ids.begin() + 3 * kPredictions + 1, kPredictions - 1, 0);
  });
  EXPECT_EQ(found(), "zero-position at x_training_1.hdf5:3: predicts position 0 alone, which reads as nothing\n");
}

TEST_F(DoctorRowsTest, FindsPaddingOfPredictions) {
  add_changed([](Batch& rows) { rows.masked_lm_ids[5 * kPredictions + 3] = 9; });
  EXPECT_EQ(found(), "padding at x_training_1.hdf5:5: masked_lm_ids[3] is 9 without a position\n");
}

TEST_F(DoctorRowsTest, FindsNegativePaddingOfPositions) {
  add_changed([](Batch& rows) { rows.masked_lm_positions[5 * kPredictions + 3] = -1; });
  EXPECT_THAT(found(), StartsWith("padding at x_training_1.hdf5:5: masked_lm_positions[3] is -1"));
}

TEST_F(DoctorRowsTest, FindsIdsThatTheMaskHides) {
  add_changed([](Batch& rows) { rows.input_ids[2 * kTokens + 23] = 7; });
  EXPECT_THAT(found(), StartsWith("padding at x_training_1.hdf5:2: input_ids[23] is 7 where its mask is 0"));
}

TEST_F(DoctorRowsTest, KnowsAnotherPadPiece) {
  const auto pad = [](Batch& rows) {
    for (std::size_t i = 0; i < rows.input_ids.size(); ++i) {
      if (rows.input_mask[i] == 0) rows.input_ids[i] = 2999;
      if (rows.input_mask[i] == 1 && rows.input_ids[i] == 2999) rows.input_ids[i] = 5;
    }
  };
  for (const char* name : {"x_training_0.hdf5", "x_training_1.hdf5"}) {
    Batch rows = rows_of(++seed_);
    pad(rows);
    add(name, rows);
  }
  EXPECT_EQ(found(), "");
}

TEST_F(DoctorRowsTest, FindsPaddingThatTheMaskCounts) {
  add_changed([](Batch& rows) { std::fill_n(rows.input_mask.begin() + 2 * kTokens, kTokens, 1); });
  EXPECT_EQ(found(), "padding at x_training_1.hdf5:2: ends in zeros that its mask counts as tokens\n");
}

TEST_F(DoctorRowsTest, FindsPredictionsOfPadding) {
  add_changed([](Batch& rows) { rows.masked_lm_positions[2 * kPredictions + 2] = 23; });
  EXPECT_EQ(found(), "padding at x_training_1.hdf5:2: masked_lm_positions[2] is 23, where input_mask is 0\n");
}

TEST_F(DoctorRowsTest, FindsPositionsBeyondTheRow) {
  add_changed([](Batch& rows) { rows.masked_lm_positions[2 * kPredictions + 2] = 24; });
  EXPECT_EQ(found(), "position-range at x_training_1.hdf5:2: masked_lm_positions[2] is 24, the row has 24 tokens\n");
}

TEST_F(DoctorRowsTest, FindsGapsOfTheMask) {
  add_changed([](Batch& rows) { rows.input_mask[4 * kTokens + 0] = 0; });
  EXPECT_THAT(found(), StartsWith("mask-gaps at x_training_1.hdf5:4: input_mask[1] is 1 after a 0"));
}

TEST_F(DoctorRowsTest, FindsSegmentsThatNoModelHas) {
  add_changed([](Batch& rows) { rows.segment_ids[4 * kTokens + 9] = 2; });
  EXPECT_EQ(found(), "segment-range at x_training_1.hdf5:4: segment_ids[9] is 2, models have 0 and 1\n");
}

TEST_F(DoctorRowsTest, FindsFullRowsThatATrainerCuts) {
  add_changed([](Batch& rows) {
    rows.masked_lm_positions[6 * kPredictions + 3] = 15;
    rows.masked_lm_ids[6 * kPredictions + 3] = 8;
  });
  EXPECT_EQ(found({.max_predictions = 3}),
            "more-predictions at x_training_1.hdf5:6: has 4 predictions, the trainer takes 3\n");
  EXPECT_EQ(found({.max_predictions = 4}), "");
  EXPECT_EQ(found({.trainers = {TrainerKind::kBerttrain}, .max_predictions = 3}), "");
}

TEST_F(DoctorRowsTest, RemarksRoomThatATrainerDoesNotUse) {
  add_valid();
  const auto list = findings({.max_predictions = 3});
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list.front().trap, Trap("more-predictions"));
  EXPECT_EQ(list.front().severity(), Severity::kRemark);
  EXPECT_THAT(list.front().fix, HasSubstr("--max_predictions_per_seq 4"));
}

TEST_F(DoctorRowsTest, FindsRowsWithoutPredictions) {
  const auto clear = [](Batch& rows) {
    std::fill_n(rows.masked_lm_positions.begin(), 5 * kPredictions, 0);
    std::fill_n(rows.masked_lm_ids.begin(), 5 * kPredictions, 0);
  };
  add_changed(clear);
  EXPECT_EQ(found(), "no-predictions at x_training_1.hdf5:0: has nothing to predict, as 5 of 80 rows\n");
}

TEST_F(DoctorRowsTest, FindsOneLabelForAllRows) {
  for (const char* name : {"x_training_0.hdf5", "x_training_1.hdf5"}) {
    Batch rows = rows_of(++seed_);
    std::fill(rows.next_sentence_labels.begin(), rows.next_sentence_labels.end(), std::int8_t{1});
    add(name, rows);
  }
  EXPECT_EQ(found(),
            "label-share at : 100 % of the 80 rows are labelled as random next sentences, expected about "
            "half\n");
  EXPECT_THAT(findings().front().fix, HasSubstr("blank lines"));
}

TEST_F(DoctorRowsTest, FindsInvalidLabels) {
  add_changed([](Batch& rows) { rows.next_sentence_labels[3] = -1; });
  EXPECT_EQ(found(), "label-values at x_training_1.hdf5:3: its label for the next sentence is -1\n");
}

TEST_F(DoctorRowsTest, FindsIdsBeyondTheVocabulary) {
  add_changed([](Batch& rows) { rows.input_ids[9 * kTokens + 1] = 40000; });
  EXPECT_THAT(found(), StartsWith("vocabulary-too-small at x_training_1.hdf5:9: input_ids has id 40000, and 1 row"));
  EXPECT_EQ(found({.model_pieces = 40000}),
            "vocabulary-too-small at x_training_1.hdf5:9: input_ids[1] is 40000, the vocabulary has 40,000 pieces\n");
  EXPECT_EQ(found({.model_pieces = 40001}), "");
}

TEST_F(DoctorRowsTest, KnowsALargerVocabularyByItsUse) {
  add_changed([](Batch& rows) {
    for (std::size_t row = 0; row < rows.rows; ++row) {
      for (std::size_t i = 1; i < 5; ++i) {
        rows.input_ids[row * kTokens + i] = static_cast<std::int32_t>(40000 + row * 10 + i);
      }
    }
  });
  EXPECT_THAT(found(), StartsWith("unknown-vocabulary at x_training_1.hdf5:0: ids go up to 40,394"));
  EXPECT_EQ(findings().front().severity(), Severity::kRemark);
  EXPECT_EQ(findings({.trainers = {TrainerKind::kNeuron}}).front().severity(), Severity::kCrashLate);
}

// Segments of one document have words in common.
void share_words(Batch& rows, std::int8_t label) {
  for (std::size_t row = 0; row < rows.rows; ++row) {
    if (rows.next_sentence_labels[row] != label) continue;
    for (std::size_t i = 1; i < 5; ++i) rows.input_ids[row * kTokens + 15 + i] = rows.input_ids[row * kTokens + i];
  }
}

TEST_F(DoctorRowsTest, FindsLabelsWithTheOppositeMeaning) {
  const ShardShape shape{300, kTokens, kPredictions};
  for (const std::int8_t label : {std::int8_t{0}, std::int8_t{1}}) {
    for (const char* name : {"x_training_0.hdf5", "x_training_1.hdf5"}) {
      Batch rows = rows_of(++seed_, shape);
      share_words(rows, label);
      add(name, rows, shape);
    }
    const std::string text = found();
    EXPECT_EQ(text.empty(), label == 0) << text;
    if (label == 1) {
      EXPECT_THAT(text, StartsWith("flipped-labels at : "));
    }
  }
}

TEST_F(DoctorRowsTest, FindsRowsThatShowWhatTheyAsk) {
  for (const char* name : {"x_training_0.hdf5", "x_training_1.hdf5"}) {
    Batch rows = rows_of(++seed_);
    for (std::size_t row = 0; row < rows.rows; ++row) {
      for (std::size_t i = 0; i < 3; ++i) {
        rows.masked_lm_ids[row * kPredictions + i] = rows.input_ids[row * kTokens + 2 + 4 * i];
      }
    }
    add(name, rows);
  }
  EXPECT_THAT(found(), StartsWith("visible-labels at : the tokens to predict are visible in the rows: 240 of 240"));
}

}  // namespace
}  // namespace bertprep::test
