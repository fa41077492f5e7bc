#include "instance/masking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace bertprep {
namespace {

constexpr TokenId kMaskedCls = 1;
constexpr TokenId kMaskedSep = 2;
constexpr TokenId kMaskedMask = 3;

InstanceOptions asking_for(std::int64_t max_predictions, double share) {
  InstanceOptions options;
  options.max_predictions = max_predictions;
  options.masked_lm_prob = share;
  return options;
}

TEST(MaskingTest, CountsRoundHalfToEven) {
  const InstanceOptions options = asking_for(100, 0.15);
  const std::vector<std::pair<std::size_t, int>> ties{{10, 2},   {30, 4},   {50, 8},   {70, 10},  {90, 14}, {110, 16},
                                                      {130, 20}, {150, 22}, {170, 26}, {190, 28}, {210, 32}};
  for (const auto& [length, count] : ties) EXPECT_EQ(masks_for_length(length, options), count) << length;
  EXPECT_EQ(masks_for_length(128, options), 19);
  EXPECT_EQ(masks_for_length(512, options), 77);
}

TEST(MaskingTest, CountsStayBetweenOneAndTheMost) {
  EXPECT_EQ(masks_for_length(128, asking_for(20, 0.0)), 1);
  EXPECT_EQ(masks_for_length(128, asking_for(20, 1.0)), 20);
  EXPECT_EQ(masks_for_length(5, asking_for(20, 0.15)), 1);
}

// A is the tokens 10 [CLS] 12 13, B the tokens [SEP] 15 [SEP]: row positions 1 3 4 and 7 may be masked.
TEST(MaskingTest, SpecialPiecesOfTheTextAreNoCandidates) {
  TokenizedDocuments documents;
  documents.ids = {10, kMaskedCls, 12, 13, kMaskedSep, 15, kMaskedSep, 99, 99};
  const std::vector<TokenId> words{50};
  const InstanceVocab vocab{.cls = kMaskedCls, .sep = kMaskedSep, .mask = kMaskedMask, .random_words = words};
  Masking masking(documents, vocab, asking_for(20, 1.0));
  Random random("1");
  MaskedTokens masked;
  const SegmentPair pair{.a_begin = 0, .b_begin = 4, .a_length = 4, .b_length = 3, .is_random_next = false};
  EXPECT_EQ(masking.append(pair, random, masked), 4);
  EXPECT_THAT(masked.positions, testing::ElementsAre(1, 3, 4, 7));
}

TEST(MaskingTest, ReplacementsComeInTheirShares) {
  TokenizedDocuments documents;
  documents.ids.resize(100);
  std::iota(documents.ids.begin(), documents.ids.end(), 1000);
  const std::vector<TokenId> words{50, 51, 52, 53};
  const InstanceVocab vocab{.cls = kMaskedCls, .sep = kMaskedSep, .mask = kMaskedMask, .random_words = words};
  Masking masking(documents, vocab, asking_for(20, 0.15));
  Random random("2");
  MaskedTokens masked;
  const SegmentPair pair{.a_begin = 0, .b_begin = 50, .a_length = 50, .b_length = 50, .is_random_next = false};
  for (int k = 0; k < 2000; ++k) masking.append(pair, random, masked);
  const auto share = [&](auto test) {
    const auto count = std::count_if(masked.replacements.begin(), masked.replacements.end(), test);
    return static_cast<double>(count) / static_cast<double>(masked.replacements.size());
  };
  EXPECT_NEAR(share([](TokenId id) { return id == kMaskedMask; }), 0.8, 0.01);
  EXPECT_NEAR(share([](TokenId id) { return id == kKeptToken; }), 0.1, 0.01);
  EXPECT_NEAR(share([](TokenId id) { return id >= 50 && id < 54; }), 0.1, 0.01);
}

}  // namespace
}  // namespace bertprep
