#include "bertprep/instance/instance_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "support/thrown.h"
#include "twins/instances.h"

namespace bertprep::test {
namespace {

constexpr TokenId kCls = 1;
constexpr TokenId kSep = 2;
constexpr TokenId kMask = 3;
constexpr std::array<TokenId, 4> kWords{100, 101, 102, 103};
constexpr InstanceVocab kVocab{.cls = kCls, .sep = kSep, .mask = kMask, .random_words = kWords};

// Sentences of the given lengths, one document; every token has its own number from 1000 on.
TokenizedDocuments& add_document(TokenizedDocuments& documents, const std::vector<std::size_t>& lengths) {
  for (const std::size_t length : lengths) {
    for (std::size_t k = 0; k < length; ++k) {
      documents.ids.push_back(static_cast<TokenId>(1000 + documents.tokens()));
    }
    documents.sentence_begin.push_back(documents.tokens());
  }
  documents.document_begin.push_back(documents.sentences());
  return documents;
}

TokenizedDocuments documents_of(const std::vector<std::vector<std::size_t>>& lengths) {
  TokenizedDocuments documents;
  for (const auto& document : lengths) add_document(documents, document);
  return documents;
}

InstanceRows rows_of(const TokenizedDocuments& documents, const InstanceOptions& options) {
  return copied_rows(InstanceSet(documents, kVocab, options), options, 16);
}

TEST(InstanceSetTest, NoDocumentsGiveNoRows) {
  const TokenizedDocuments none;
  const InstanceSet set(none, kVocab, {});
  EXPECT_EQ(set.rows(), 0U);
  EXPECT_EQ(set.masked_tokens(), 0U);
  EXPECT_EQ(set.random_draws(), 0U);
  Batch batch;
  set.copy_rows(0, 0, batch);
  EXPECT_EQ(batch.rows, 0U);
}

TEST(InstanceSetTest, OneSentenceIsItsOwnNext) {
  const TokenizedDocuments documents = documents_of({{6}});
  const InstanceOptions options;
  const InstanceRows rows = rows_of(documents, options);
  ASSERT_EQ(rows.rows, 5U);
  EXPECT_THAT(rows.next_sentence_labels, testing::Each(0));
  for (std::size_t row = 0; row < rows.rows; ++row) {
    const auto* mask = &rows.input_mask[row * 128];
    EXPECT_EQ(std::accumulate(mask, mask + 128, 0), 15);
    const auto* segments = &rows.segment_ids[row * 128];
    EXPECT_EQ(std::accumulate(segments, segments + 128, 0), 7);
    const auto* tokens = &rows.input_ids[row * 128];
    EXPECT_EQ(tokens[0], kCls);
    EXPECT_EQ(tokens[7], kSep);
    EXPECT_EQ(tokens[14], kSep);
  }
}

TEST(InstanceSetTest, MaskedPositionsHoldTheOriginals) {
  const TokenizedDocuments documents = documents_of({{30, 20, 40}, {50}, {3, 3, 3}});
  InstanceOptions options;
  options.masked_lm_prob = 1.0;  // every row keeps its original tokens in masked_lm_ids
  options.max_predictions = 200;
  options.dupe_factor = 3;
  const InstanceRows rows = rows_of(documents, options);
  ASSERT_GT(rows.rows, 0U);
  for (std::size_t row = 0; row < rows.rows; ++row) {
    const std::vector<std::int32_t> positions(&rows.masked_lm_positions[row * 200],
                                              &rows.masked_lm_positions[row * 200] + 200);
    const auto end = std::find(positions.begin(), positions.end(), 0);
    const auto count = static_cast<std::size_t>(end - positions.begin());
    EXPECT_TRUE(std::is_sorted(positions.begin(), end));
    EXPECT_EQ(std::adjacent_find(positions.begin(), end), end);
    const auto* mask = &rows.input_mask[row * 128];
    EXPECT_EQ(count + 3, static_cast<std::size_t>(std::accumulate(mask, mask + 128, 0)));
    for (std::size_t k = 0; k < count; ++k) EXPECT_GE(rows.masked_lm_ids[row * 200 + k], 1000);
    for (std::size_t k = count; k < 200; ++k) EXPECT_EQ(rows.masked_lm_ids[row * 200 + k], 0);
  }
}

TEST(InstanceSetTest, TextOfSpecialPiecesHasNothingToMask) {
  TokenizedDocuments documents;
  documents.ids = {kCls, kSep, kSep, kCls};
  documents.sentence_begin = {0, 2, 4};
  documents.document_begin = {0, 2};
  const InstanceSet set(documents, kVocab, {});
  EXPECT_GT(set.rows(), 0U);
  EXPECT_EQ(set.masked_tokens(), 0U);
}

TEST(InstanceSetTest, ShortestAndLongRowsAreFilled) {
  const TokenizedDocuments documents = documents_of({{70000, 1}, {70000}});
  for (const std::int64_t seq_len : {std::int64_t{5}, std::int64_t{1000}, std::int64_t{65535}}) {
    InstanceOptions options;
    options.seq_len = seq_len;
    options.max_predictions = seq_len;
    options.masked_lm_prob = 0.5;
    options.short_seq_prob = 0;
    options.dupe_factor = 1;
    EXPECT_TRUE(rows_of(documents, options) == plain_instances(documents, kVocab, options)) << seq_len;
  }
}

TEST(InstanceSetTest, PartsOfTheRowsAreTheRows) {
  const TokenizedDocuments documents = documents_of({{9, 30, 11}, {60, 2}, {17}});
  const InstanceOptions options;
  const InstanceSet set(documents, kVocab, options);
  EXPECT_TRUE(copied_rows(set, options, 1) == copied_rows(set, options, 1000));
}

TEST(InstanceSetTest, NegativeSeedIsTheSeed) {
  const TokenizedDocuments documents = documents_of({{9, 30, 11}, {60, 2}, {17}});
  InstanceOptions options;
  options.random_seed = "-12345";
  EXPECT_TRUE(rows_of(documents, options) == rows_of(documents, {}));
}

template <class Change>
std::string complaint(const InstanceVocab& vocab, Change change) {
  InstanceOptions options;
  change(options);
  const TokenizedDocuments documents = documents_of({{3}});
  return thrown_by([&] { const InstanceSet set(documents, vocab, options); });
}

TEST(InstanceSetTest, RefusesInvalidOptions) {
  EXPECT_THAT(complaint(kVocab, [](InstanceOptions& o) { o.seq_len = 4; }), testing::HasSubstr("`seq_len`"));
  EXPECT_THAT(complaint(kVocab, [](InstanceOptions& o) { o.random_seed = "x"; }), testing::HasSubstr("random seed"));
  const InstanceVocab no_words{.cls = 1, .sep = 2, .mask = 3, .random_words = {}};
  EXPECT_THAT(complaint(no_words, [](InstanceOptions&) {}), testing::HasSubstr("no words"));
}

}  // namespace
}  // namespace bertprep::test
