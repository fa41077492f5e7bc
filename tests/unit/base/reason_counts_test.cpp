#include "bertprep/base/progress.h"

#include <gtest/gtest.h>

namespace bertprep {
namespace {

TEST(ReasonCounts, CountsKindsOfReasons) {
  ReasonCounts counts;
  EXPECT_TRUE(counts.is_empty());
  counts.add("no field \"text\": the record has \"body\"");
  counts.add("invalid UTF-8 at byte 12");
  counts.add("invalid UTF-8 at byte 13 of the page's text");
  counts.add("the block is damaged (bit 40)");
  counts.add("never", 0);
  EXPECT_EQ(counts.total(), 4U);
  EXPECT_EQ(counts.text(), "2 invalid UTF-8, 1 no field \"text\", 1 the block is damaged");
}

TEST(ReasonCounts, AreTheSameInAnyOrder) {
  ReasonCounts left;
  left.add("a", 2);
  left.add("b");
  ReasonCounts right;
  right.add("b");
  ReasonCounts more;
  more.add("a");
  right.add(more);
  right.add(more);
  EXPECT_EQ(left, right);
}

TEST(ReasonCounts, AreWrittenAsOtherCountsAre) {
  ReasonCounts counts;
  counts.add("broken JSON", 1'234'567);
  counts.add("no field \"text\"", 999);
  EXPECT_EQ(counts.text(), "1,234,567 broken JSON, 999 no field \"text\"");
}

TEST(ReasonCounts, HaveThePluralOfThings) {
  ReasonCounts counts;
  counts.add("redirect", 1'000);
  counts.add("disambiguation page", 8);
  counts.add("shorter than `min_length`", 2);
  counts.add(ReasonCounts::kOther);
  EXPECT_EQ(counts.text(), "1,000 redirects, 8 disambiguation pages, 2 shorter than `min_length`, 1 other reason");
  ReasonCounts single;
  single.add("redirect");
  single.add("disambiguation page");
  EXPECT_EQ(single.text(), "1 disambiguation page, 1 redirect");
}

TEST(ReasonCounts, StayFewForManyReasons) {
  ReasonCounts counts;
  for (int i = 0; i < 1000; ++i) counts.add("reason " + std::to_string(i));
  EXPECT_EQ(counts.by_reason().size(), ReasonCounts::kMaxKinds + 1);
  EXPECT_EQ(counts.by_reason().at(ReasonCounts::kOther), 1000 - ReasonCounts::kMaxKinds);
  EXPECT_EQ(counts.total(), 1000U);
}

}  // namespace
}  // namespace bertprep
