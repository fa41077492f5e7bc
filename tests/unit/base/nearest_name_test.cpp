#include "base/nearest_name.h"

#include <gtest/gtest.h>

#include <vector>

namespace bertprep {
namespace {

const std::vector<std::string> kFlags = {"--input",      "--output",       "--ids",           "--format",
                                         "--force",      "--train-shards", "--test-shards",   "--random-seed",
                                         "--text-field", "--lower-case",   "--no-lower-case", "--keep"};
const std::vector<std::string> kDatasets = {"wikitext-2", "wikitext-103", "wikicorpus_en", "bookscorpus",
                                            "books_wiki_en_corpus"};

struct Pair {
  const char* word;
  const char* meant;  // empty: nothing is near
};

TEST(NearestName, FindsMisspellings) {
  for (const Pair& pair : {Pair{"--trian-shards", "--train-shards"},
                           {"--idz", "--ids"},
                           {"--inptu", "--input"},
                           {"--ouput", "--output"},
                           {"--formatt", "--format"},
                           {"--froce", "--force"},
                           {"--lowercase", "--lower-case"},
                           {"--nolower-case", "--no-lower-case"}}) {
    EXPECT_EQ(nearest_name(pair.word, kFlags), pair.meant) << pair.word;
  }
}

TEST(NearestName, IgnoresCaseAndUnderscores) {
  EXPECT_EQ(nearest_name("--TRAIN_SHARDS", kFlags), "--train-shards");
  EXPECT_EQ(nearest_name("WikiText2", kDatasets), "wikitext-2");
  EXPECT_EQ(nearest_name("wikicorpus-en", kDatasets), "wikicorpus_en");
}

TEST(NearestName, FindsTheWholeOfAPart) {
  for (const Pair& pair : {Pair{"--seed", "--random-seed"},
                           {"--shards", "--train-shards"},
                           {"--out", "--output"},
                           {"--text", "--text-field"},
                           {"--lower", "--lower-case"}}) {
    EXPECT_EQ(nearest_name(pair.word, kFlags), pair.meant) << pair.word;
  }
  EXPECT_EQ(nearest_name("wikitext", kDatasets), "wikitext-2");
  EXPECT_EQ(nearest_name("wiki", kDatasets), "wikitext-2");
}

TEST(NearestName, OfNothingNearIsEmpty) {
  for (const char* word : {"--bogus", "--zzz", "--verbose", "--x", "--", "-", "", "--iput-files-from", "--in",
                           "--colour", "--benchmark", "--help-me", "--no"}) {
    EXPECT_EQ(nearest_name(word, kFlags), "") << word;
  }
  for (const char* word : {"imdb", "c4", "openwebtext", "en", "pile"}) {
    EXPECT_EQ(nearest_name(word, kDatasets), "") << word;
  }
  EXPECT_EQ(nearest_name("--input", {}), "");
}

TEST(NearestName, PrefersTheFewestEditsAndTheFirstOfEquals) {
  const std::vector<std::string> names = {"aaaxxx", "aaaabx", "aaaaxx"};
  EXPECT_EQ(nearest_name("aaaaax", names), "aaaabx");
}

TEST(SuggestionText, IsEmptyWhenNothingIsNear) {
  EXPECT_EQ(suggestion_text("--ouput", kFlags), " (did you mean '--output'?)");
  EXPECT_EQ(suggestion_text("--bogus", kFlags), "");
}

}  // namespace
}  // namespace bertprep
