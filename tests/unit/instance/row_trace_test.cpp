#include "instance/instance_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/random.h"
#include "twins/instances.h"

namespace bertprep::test {
namespace {

constexpr std::array<TokenId, 4> kTraceWords{100, 101, 102, 103};
constexpr InstanceVocab kTraceVocab{.cls = 1, .sep = 2, .mask = 3, .random_words = kTraceWords};

// Documents of one to nine sentences of one to 30 tokens; every token has its own number.
TokenizedDocuments random_documents(std::size_t count, const std::string& seed) {
  Random random(seed);
  TokenizedDocuments documents;
  for (std::size_t d = 0; d < count; ++d) {
    for (std::uint32_t sentences = random.between(1, 9); sentences > 0; --sentences) {
      for (std::uint32_t tokens = random.between(1, 30); tokens > 0; --tokens) {
        documents.ids.push_back(static_cast<TokenId>(1000 + documents.tokens()));
      }
      documents.sentence_begin.push_back(documents.tokens());
    }
    documents.document_begin.push_back(documents.sentences());
  }
  return documents;
}

std::size_t document_of(const TokenizedDocuments& documents, std::uint64_t token) {
  const auto& sentences = documents.sentence_begin;
  const auto sentence = std::upper_bound(sentences.begin(), sentences.end(), token) - sentences.begin() - 1;
  const auto& starts = documents.document_begin;
  return static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), static_cast<std::uint64_t>(sentence)) -
                                  starts.begin() - 1);
}

class RowTraceTest : public testing::TestWithParam<std::size_t> {
 protected:
  InstanceOptions options_{.seq_len = 32, .max_predictions = 5, .short_seq_prob = 0.3, .random_seed = "7"};
  TokenizedDocuments documents_ = random_documents(GetParam(), "5");
};

TEST_P(RowTraceTest, RowsAreThoseOfTheSet) {
  const RowTrace trace(documents_, kTraceVocab, options_);
  const InstanceRows expected = plain_instances(documents_, kTraceVocab, options_);
  ASSERT_EQ(trace.rows(), expected.rows);
  InstanceRows rows;
  rows.rows = trace.rows();
  rows.random_draws = expected.random_draws;
  Batch batch;
  for (std::size_t row = 0; row < trace.rows(); ++row) {
    trace.copy_row(row, batch);
    const auto append = [](auto& all, const auto& one) { all.insert(all.end(), one.begin(), one.end()); };
    append(rows.input_ids, batch.input_ids);
    append(rows.input_mask, batch.input_mask);
    append(rows.segment_ids, batch.segment_ids);
    append(rows.masked_lm_positions, batch.masked_lm_positions);
    append(rows.masked_lm_ids, batch.masked_lm_ids);
    append(rows.next_sentence_labels, batch.next_sentence_labels);
  }
  EXPECT_EQ(rows, expected);
}

// Each pass uses every token once, in A or in the B that follows it.
TEST_P(RowTraceTest, APassUsesTheTextOnce) {
  const RowTrace trace(documents_, kTraceVocab, options_);
  for (std::int64_t pass = 0; pass < options_.dupe_factor; ++pass) {
    std::vector<int> uses(documents_.tokens());
    for (std::size_t row = 0; row < trace.rows(); ++row) {
      const TracedRow& traced = trace.row(row);
      if (traced.pass != pass) continue;
      const SegmentPair& whole = traced.whole;
      const bool follows = whole.b_begin == whole.a_begin + whole.a_length && !whole.is_random_next;
      const std::uint64_t end = whole.a_begin + whole.a_length + (follows ? whole.b_length : 0);
      for (std::uint64_t token = whole.a_begin; token < end; ++token) ++uses[token];
    }
    // If B was drawn and happens to follow A, its sentences are used again.
    const auto once = std::count(uses.begin(), uses.end(), 1);
    const auto never = std::count(uses.begin(), uses.end(), 0);
    EXPECT_EQ(never, 0);
    if (GetParam() > 1) {
      EXPECT_EQ(once, static_cast<std::ptrdiff_t>(uses.size()));
    }
  }
}

TEST_P(RowTraceTest, SegmentsLieWithinTheirDocuments) {
  const RowTrace trace(documents_, kTraceVocab, options_);
  for (std::size_t row = 0; row < trace.rows(); ++row) {
    const TracedRow& traced = trace.row(row);
    const SegmentPair& pair = traced.pair;
    EXPECT_LE(pair.a_length + pair.b_length + 3, 32U);
    EXPECT_GE(traced.aimed_tokens, 2U);
    EXPECT_LE(traced.aimed_tokens, 29U);
    EXPECT_GE(pair.a_begin, traced.whole.a_begin);
    EXPECT_GE(pair.b_begin, traced.whole.b_begin);
    const std::size_t a = document_of(documents_, pair.a_begin);
    const std::size_t b = document_of(documents_, pair.b_begin);
    EXPECT_EQ(document_of(documents_, pair.a_begin + pair.a_length - 1), a);
    EXPECT_EQ(document_of(documents_, pair.b_begin + pair.b_length - 1), b);
    EXPECT_EQ(pair.is_random_next, a != b);
  }
}

INSTANTIATE_TEST_SUITE_P(All, RowTraceTest, testing::Values(1, 2, 40));

}  // namespace
}  // namespace bertprep::test
