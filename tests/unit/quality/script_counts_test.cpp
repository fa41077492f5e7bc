#include "quality/text_counts.h"

#include <gtest/gtest.h>

namespace bertprep {
namespace {

ScriptCounts count(std::string_view text) {
  ScriptCounter counter;
  counter.add(text);
  return counter.take();
}

TEST(ScriptCounts, CountsLettersAlone) {
  const ScriptCounts counts = count("Ten men, 10 dogs! Десять 十");
  EXPECT_EQ(counts.by_name.size(), 3U);
  EXPECT_EQ(counts.by_name.at("Latin").letters, 10U);
  EXPECT_EQ(counts.by_name.at("Cyrillic").letters, 6U);
  EXPECT_EQ(counts.by_name.at("Han").letters, 1U);
}

TEST(ScriptCounts, MarksOfIndicScriptsAreLost) {
  const ScriptCount marathi = count("एक व्यक्तींची").by_name.at("Devanagari");
  EXPECT_EQ(marathi.letters, 12U);
  EXPECT_EQ(marathi.lost, 3U) << "twice the virama and the anusvara";
  EXPECT_EQ(marathi.example, "व्यक्तींची");
  EXPECT_NEAR(marathi.lost_share(), 3.0 / 12, 1e-9);
}

TEST(ScriptCounts, KanaLoseTheirVoice) {
  EXPECT_EQ(count("がっこう").by_name.at("Hiragana").lost, 1U);
}

TEST(ScriptCounts, AccentsOfEuropeanScriptsLeaveALetter) {
  const ScriptCount french = count("Élève forêt").by_name.at("Latin");
  EXPECT_EQ(french.accented, 3U);
  EXPECT_EQ(french.lost, 0U);
  const ScriptCount decomposed = count("fore\u0302t").by_name.at("Latin");
  EXPECT_EQ(decomposed.accented, 1U) << "the mark may stand by itself";
  EXPECT_EQ(decomposed.lost, 0U);
}

TEST(ScriptCounts, AMarkCountsForTheScriptBeforeIt) {
  const ScriptCounts vocalized = count("بِسْمِ");
  EXPECT_EQ(vocalized.by_name.size(), 1U);
  EXPECT_EQ(vocalized.by_name.at("Arabic").lost, 3U);
}

TEST(ScriptCounts, ShardsAddUp) {
  ScriptCounts all = count("a é");
  all.add(ScriptCounts::from_json(count("b व्य").to_json()));
  EXPECT_EQ(all.by_name.at("Latin").letters, 3U);
  EXPECT_EQ(all.by_name.at("Latin").accented, 1U);
  EXPECT_EQ(all.by_name.at("Devanagari"), (ScriptCount{.letters = 3, .lost = 1, .accented = 0, .example = "व्य"}));
}

TEST(ScriptCounts, TakeStartsAnew) {
  ScriptCounter counter;
  counter.add("abc");
  EXPECT_EQ(counter.take().by_name.at("Latin").letters, 3U);
  EXPECT_TRUE(counter.take().by_name.empty());
}

}  // namespace
}  // namespace bertprep
