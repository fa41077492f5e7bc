#include "instance/segment_pairs.h"

#include <gtest/gtest.h>

namespace bertprep {
namespace {

SegmentPair truncated(std::uint64_t a_length, std::uint64_t b_length, std::uint64_t max_length) {
  SegmentPair pair{
      .a_begin = 1000, .b_begin = 5000, .a_length = a_length, .b_length = b_length, .is_random_next = false};
  Random random("5");
  truncate(pair, max_length, random);
  EXPECT_EQ(random.draws(), a_length + b_length > max_length ? 2 * (a_length + b_length - max_length) : 0);
  EXPECT_GE(pair.a_begin, 1000U);
  EXPECT_LE(pair.a_begin + pair.a_length, 1000 + a_length);
  EXPECT_GE(pair.b_begin, 5000U);
  EXPECT_LE(pair.b_begin + pair.b_length, 5000 + b_length);
  return pair;
}

TEST(SegmentPairsTest, FittingPairsAreNotTruncated) {
  const SegmentPair pair = truncated(60, 65, 125);
  EXPECT_EQ(pair.a_length, 60U);
  EXPECT_EQ(pair.b_length, 65U);
}

TEST(SegmentPairsTest, TheLongerSegmentIsTruncated) {
  EXPECT_EQ(truncated(200, 10, 125).a_length, 115U);
  EXPECT_EQ(truncated(10, 200, 125).b_length, 115U);
  EXPECT_EQ(truncated(1, 1000, 2).b_length, 1U);
}

TEST(SegmentPairsTest, BLosesTheOddToken) {
  EXPECT_EQ(truncated(100, 100, 125).a_length, 63U);
  EXPECT_EQ(truncated(100, 100, 125).b_length, 62U);
  EXPECT_EQ(truncated(2, 2, 3).b_length, 1U);
}

TEST(SegmentPairsTest, BothEndsLoseTokens) {
  const SegmentPair pair = truncated(1000, 1, 101);
  EXPECT_NEAR(static_cast<double>(pair.a_begin - 1000), 450, 60);
}

TEST(SegmentPairsTest, EverySentenceIsUsedInEveryPass) {
  TokenizedDocuments documents;
  documents.ids.resize(40);
  documents.sentence_begin = {0, 10, 20, 30, 40};
  documents.document_begin = {0, 2, 4};
  InstanceOptions options;
  options.dupe_factor = 7;
  Random random("3");
  SegmentPairs pairs(documents, options, random);
  int starts_of_documents = 0;
  for (SegmentPair pair; pairs.next(pair);) {
    EXPECT_EQ(pair.a_begin % 10, 0U);
    EXPECT_EQ(pair.b_begin % 10, 0U);
    starts_of_documents += pair.a_begin % 20 == 0 ? 1 : 0;
  }
  EXPECT_EQ(starts_of_documents, 14);
  SegmentPair pair;
  EXPECT_FALSE(pairs.next(pair));
}

}  // namespace
}  // namespace bertprep
