#include "pipeline/sequences/sequence_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bertprep {
namespace {

std::vector<std::string> spans(std::string_view text, SentenceRules rules = SentenceRules::kIcu) {
  const auto splitter = make_sentence_splitter({.rules = rules});
  std::vector<std::size_t> begins;
  SentenceSpans(*splitter).find(text, begins);
  begins.push_back(text.size());
  std::vector<std::string> found;
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
    found.emplace_back(text.substr(begins[i], begins[i + 1] - begins[i]));
  }
  return found;
}

using Spans = std::vector<std::string>;

TEST(SentenceSpans, WhatIsBetweenBelongsToTheSentenceBefore) {
  EXPECT_EQ(spans("  One.  Two!\n\nThree? "), (Spans{"  One.  ", "Two!\n\n", "Three? "}));
  EXPECT_EQ(spans("One."), Spans{"One."});
  EXPECT_EQ(spans(" \n"), Spans{" \n"});
}

TEST(SentenceSpans, AnEmptyLineEndsASentenceAndALineBreakDoesNot) {
  EXPECT_EQ(spans("Heading\n \t\nIt goes\r\non here\nand on. Then\nmore.\r\n\r\nEnd"),
            (Spans{"Heading\n \t\n", "It goes\r\non here\nand on. ", "Then\nmore.\r\n\r\n", "End"}));
}

TEST(SentenceSpans, LinesAreSentencesIfAskedFor) {
  EXPECT_EQ(spans("One. Two\n  three\n\nfour\n", SentenceRules::kLines),
            (Spans{"One. Two\n  ", "three\n\n", "four\n"}));
}

}  // namespace
}  // namespace bertprep
