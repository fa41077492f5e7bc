// What goes with a template or formula that is lost.
#include <gtest/gtest.h>

#include <random>

#include "support/clean_text.h"
#include "wiki/clean/template_counts.h"

namespace bertprep {
namespace {

std::string with_options(HoleRule rule, std::string_view wikitext, const std::string& language = "en") {
  std::string lines = test::clean_page("T", wikitext, {.lists = true, .headings = true, .holes = rule}, language).lines;
  if (!lines.empty()) lines.pop_back();
  return lines;
}

std::string sentences_of(std::string_view wikitext, const std::string& language = "en") {
  return with_options(HoleRule::kSentence, wikitext, language);
}

TEST(Holes, TheSentenceGoes) {
  constexpr std::string_view kText = "It rains. The town has {{unknown|x}} people. It snows.\n\nNext.";
  EXPECT_EQ(with_options(HoleRule::kSentence, kText), "It rains. It snows.\nNext.");
  EXPECT_EQ(with_options(HoleRule::kParagraph, kText), "Next.");
  EXPECT_EQ(with_options(HoleRule::kKeep, kText), "It rains. The town has people. It snows.\nNext.");
  EXPECT_EQ(sentences_of("雨だ。人口は{{型|a}}である。雪だ。", "ja"), "雨だ。雪だ。");
  EXPECT_EQ(sentences_of("It rains. The map <math>\\begin{cases}a\\end{cases}</math> is big. Now."), "It rains. Now.");
}

TEST(Holes, AbbreviationsAndQuotationsEndNoSentence) {
  EXPECT_EQ(sentences_of("It rains. The king Dr. J. Smith has {{x}} of them. It snows."), "It rains. It snows.");
  EXPECT_EQ(sentences_of("Es regnet. Am 5. Mai {{x}} kam er. Es schneit.", "de"), "Es regnet. Es schneit.");
  EXPECT_EQ(sentences_of("He said: “It rains. It is {{x}} cold. Go.” Then he left."), "Then he left.");
}

TEST(Holes, BehindAFullStopOrAloneThereIsNone) {
  EXPECT_EQ(sentences_of("It rains. {{x}} It snows.{{x}} Go. {{x}}"), "It rains. It snows. Go.");
  EXPECT_EQ(sentences_of("It rains\n{{x}}\nIt snows."), "It rains\nIt snows.");
  EXPECT_EQ(sentences_of("{{Box\n|a=b}}It snows."), "It snows.");
  EXPECT_EQ(sentences_of("{{x}} It snows."), "It snows.");
  EXPECT_EQ(sentences_of("{{x}} is big. It snows."), "It snows.");
  EXPECT_EQ(sentences_of("It has approx. {{x}} people. It snows."), "It snows.");
  EXPECT_EQ(sentences_of("雨だ。{{型}}雪だ。", "ja"), "雨だ。雪だ。");
}

TEST(Holes, BracketsLoseTheirPart) {
  EXPECT_EQ(sentences_of("A (born {{x}}) b."), "A b.");
  EXPECT_EQ(sentences_of("A (born in Rome, {{x}} high; tall) b."), "A (born in Rome; tall) b.");
  EXPECT_EQ(sentences_of("A ({{x}}, tall) b."), "A (tall) b.");
  EXPECT_EQ(sentences_of("Er (* 5. Mai 1900; † {{x}}) b.", "de"), "Er (* 5. Mai 1900) b.");
  EXPECT_EQ(sentences_of("値（あ、{{型}}）だ。", "ja"), "値（あ）だ。");
  EXPECT_EQ(sentences_of("値（英: {{型}}）だ。", "ja"), "値だ。");
  EXPECT_EQ(sentences_of("A ({{x}} or {{y}}; {{z}}–{{z}}) b."), "A b.");
  EXPECT_EQ(sentences_of("A (big (or {{x}}), red) b."), "A (big, red) b.");
  // No brackets of a remark.
  EXPECT_EQ(sentences_of("It rains. The map f({{x}}) is big. The point (0, {{x}}) is red."), "It rains.");
}

TEST(Holes, NothingIsLeftAroundThem) {
  const auto kept = [](std::string_view text, const std::string& language) {
    return with_options(HoleRule::kKeep, text, language);
  };
  EXPECT_EQ(kept("彼は「{{型|a}}」と言った。", "ja"), "彼はと言った。");
  EXPECT_EQ(kept("値は {{型|a}} 、次だ。", "ja"), "値は、次だ。");
  EXPECT_EQ(kept("値、{{型|a}}、次・{{型|a}}・次【{{型}}】だ。", "ja"), "値、次・次だ。");
  EXPECT_EQ(kept("值是：{{未知|a}}。他說‘{{未知|a}}’。{{未知|b}}，他", "zh"), "值是。他說。他");
  EXPECT_EQ(kept("值（甲，{{未知|a}}）在。", "zh"), "值（甲）在。");
  EXPECT_EQ(kept("Er »{{x}}« – {{x}} – ging.", "de"), "Er – ging.");
  EXPECT_EQ(kept("Il dit : « {{x}} ».", "fr"), "Il dit.");
  EXPECT_EQ(kept("Dice ¿{{x}}? allí.", "es"), "Dice allí.");
  EXPECT_EQ(kept("He said \"a\" {{x}} \"b\" at 5:{{x}}.", "en"), "He said \"a\" \"b\" at 5:.");
  EXPECT_EQ(kept("値 <ref>注</ref>、次<ref>注</ref> 。次「<ref>注</ref>」だ。", "ja"), "値、次。次だ。");
  EXPECT_EQ(kept("<div class=\"thumbcaption\">圖片說明</div>\n東京是城市。", "zh"), "東京是城市。");
}

TEST(Holes, WhatTheAuthorWroteStays) {
  for (const std::string text : {"彼は「」と言った。。", "It – – is (*) or “a” b.", "他【】"}) {
    EXPECT_EQ(with_options(HoleRule::kSentence, text, "ja"), with_options(HoleRule::kKeep, text, "ja")) << text;
    EXPECT_EQ(with_options(HoleRule::kSentence, text, "ja"), text);
  }
}

TEST(Holes, AreCountedWithSamples) {
  TemplateCounts counts;
  test::clean_page("T", "It rains. It is {{x}} big. It is {{y}} red. Now.", {}, "en", &counts);
  EXPECT_EQ(counts.holes, 2u);
  EXPECT_EQ(counts.left_out, 2u);
  ASSERT_EQ(counts.lost.size(), 2u);
  EXPECT_EQ(counts.lost[0].page, "T");
  EXPECT_EQ(counts.lost[0].text, "It is {{…}} big.");
}

// Sentences of distinct words: those with a hole go, the others stay as they are.
TEST(Holes, RandomSentencesGoOrStay) {
  std::mt19937 random(11);
  for (int round = 0; round < 3000; ++round) {
    std::string wikitext;
    std::string whole;
    for (int i = static_cast<int>(random() % 6) + 1; i > 0; --i) {
      std::string sentence = "Word" + std::string(1, static_cast<char>('a' + i)) + " goes, ";
      const bool is_lost = random() % 3 == 0;
      if (is_lost) sentence += random() % 2 == 0 ? "{{unknown|x}} and " : "<math>\\begin{x}</math> ";
      sentence += random() % 2 == 0 ? "there (at home)." : "“there”!";
      wikitext += sentence + " ";
      if (!is_lost) whole += (whole.empty() ? "" : " ") + sentence;
      if (random() % 4 == 0) wikitext += "{{unknown}} ";
    }
    ASSERT_EQ(sentences_of(wikitext), whole) << wikitext;
  }
}

}  // namespace
}  // namespace bertprep
