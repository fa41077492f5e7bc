#include "quality/text_counts.h"

#include <gtest/gtest.h>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

TEST(FrequentWords, OrdersByFrequencyAndThenByBytes) {
  FrequentWords words;
  for (const char* word : {"b", "a", "c", "c", "a", "b", "d"}) words.add(word);
  const std::vector<CountedWord> expected = {{"a", 2}, {"b", 2}, {"c", 2}, {"d", 1}};
  EXPECT_EQ(words.most_frequent(10), expected);
  EXPECT_EQ(words.most_frequent(1).front().word, "a");
}

TEST(FrequentWords, KeepsTheFrequentOnesAmongMany) {
  FrequentWords words(16);
  for (int i = 0; i < 5000; ++i) {
    words.add("rare" + std::to_string(i));
    if (i % 4 == 0) words.add("often");
  }
  EXPECT_EQ(words.most_frequent(1).front(), (CountedWord{"often", 1250}));
}

TEST(FrequentWords, SumsWhatShardsCounted) {
  FrequentWords left;
  left.add("x", 3);
  FrequentWords right;
  right.add("y", 2);
  right.add("x");
  left.add(FrequentWords::from_json(right.to_json(8)));
  EXPECT_EQ(left.most_frequent(2), (std::vector<CountedWord>{{"x", 4}, {"y", 2}}));
  EXPECT_THROW(FrequentWords::from_json(Json::parse("[[\"x\"]]", "x")), FormatError);
}

}  // namespace
}  // namespace bertprep
