#include "bertprep/text/sentences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unicode/uchar.h>

#include <cstdlib>
#include <thread>

#include "base/fields.h"
#include "bertprep/base/error.h"
#include "support/thrown.h"

namespace bertprep::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> split(const SentenceOptions& options, std::string_view article) {
  std::vector<std::string_view> sentences{"left over"};
  make_sentence_splitter(options)->split(article, sentences);
  return {sentences.begin(), sentences.end()};
}

std::string error_of(const SentenceOptions& options) {
  return thrown_by<ConfigError>([&] { make_sentence_splitter(options); });
}

TEST(SentenceOptions, DescribeEveryField) {
  SentenceOptions options;
  std::vector<std::string> names;
  for (const auto& field : fields_of<SentenceOptions>()) names.emplace_back(field.name);
  EXPECT_THAT(names, ElementsAre("sentences", "punkt", "language"));
  EXPECT_EQ(recipe_of(options).size(), 2U) << "where the parameters lie is no part of the recipe";
}

TEST(SentenceOptions, AreRefusedWhenTheyMakeNoSense) {
  EXPECT_THAT(error_of({.rules = static_cast<SentenceRules>(4)}), HasSubstr("punkt|icu|lines"));
  EXPECT_THAT(error_of({.rules = SentenceRules::kPunkt, .punkt = ""}),
              HasSubstr("give `punkt` DIR or use `sentences` icu"));
  EXPECT_THAT(error_of({.rules = SentenceRules::kIcu, .language = "klingonese"}), HasSubstr("'klingonese'"));
  EXPECT_THAT(error_of({.rules = SentenceRules::kIcu, .language = "en us"}), HasSubstr("'en us'"));
  EXPECT_THAT(error_of({.rules = SentenceRules::kIcu, .language = ""}), HasSubstr("`language` is ''"));
}

TEST(LineSplitter, TakesEachLineAsASentence) {
  EXPECT_THAT(split({.rules = SentenceRules::kLines}, "One. Two.\n\n \u00A0\n\tThree\r\nFour"),
              ElementsAre("One. Two.", "Three", "Four"));
  EXPECT_THAT(split({.rules = SentenceRules::kLines}, ""), IsEmpty());
  EXPECT_THAT(split({.rules = SentenceRules::kLines}, "\n"), IsEmpty());
  EXPECT_EQ(identity_of(*make_sentence_splitter({.rules = SentenceRules::kLines})), "lines");
}

TEST(IcuSplitter, SplitsAfterMarksAndAtLineEnds) {
  EXPECT_THAT(split({.rules = SentenceRules::kIcu}, "  One ends. Two?  Three!\nFour "),
              ElementsAre("One ends.", "Two?", "Three!", "Four"));
  EXPECT_THAT(split({.rules = SentenceRules::kIcu}, "Version 3.5 is out. See bert.com for it."),
              ElementsAre("Version 3.5 is out.", "See bert.com for it."));
  EXPECT_THAT(split({.rules = SentenceRules::kIcu}, ""), IsEmpty());
  EXPECT_THAT(split({.rules = SentenceRules::kIcu}, " \n\u3000 "), IsEmpty());
}

TEST(IcuSplitter, ContinuesAfterAbbreviationsOfTheLanguage) {
  EXPECT_THAT(split({.rules = SentenceRules::kIcu}, "Ask Mr. Jones, Dr. Who or Prof. Smith. They know."),
              ElementsAre("Ask Mr. Jones, Dr. Who or Prof. Smith.", "They know."));
  EXPECT_THAT(split({.rules = SentenceRules::kIcu, .language = "de"}, "Es kam z. B. Dr. M\u00FCller. Er ging."),
              ElementsAre("Es kam z. B. Dr. M\u00FCller.", "Er ging."));
  EXPECT_THAT(split({.rules = SentenceRules::kIcu, .language = "fr"}, "En 50 ap. J.-C. Rome. Oui."),
              ElementsAre("En 50 ap. J.-C. Rome.", "Oui."));
}

TEST(IcuSplitter, TakesOnlyWholeWordsForAbbreviations) {
  EXPECT_THAT(split({.rules = SentenceRules::kIcu}, "They joined NATO. Then (Mr. X) left."),
              ElementsAre("They joined NATO.", "Then (Mr. X) left."));
  EXPECT_THAT(split({.rules = SentenceRules::kIcu}, "Ask Mr.\nJones met Mr."), ElementsAre("Ask Mr.", "Jones met Mr."));
}

TEST(IcuSplitter, KnowsTheMarksOfOtherScripts) {
  EXPECT_THAT(split({.rules = SentenceRules::kIcu, .language = "ja"}, "\u4ECA\u65E5\u306F\u3002\u306F\u3044\uFF01"),
              ElementsAre("\u4ECA\u65E5\u306F\u3002", "\u306F\u3044\uFF01"));
  EXPECT_THAT(split({.rules = SentenceRules::kIcu, .language = "und"}, "A b. C d."), ElementsAre("A b.", "C d."));
}

// Two sentences each, separated by a blank and, if usual in the script, without.
TEST(IcuSplitter, EndsSentencesAtTheMarksOfEveryScript) {
  const std::vector<std::pair<std::string, std::string>> sentences = {
      {"ខ្ញុំទៅផ្សារ។", "គាត់នៅផ្ទះ។"},         // Khmer
      {"ខ្ញុំទៅផ្សារ៕", "គាត់នៅផ្ទះ៚"},         // Khmer, paragraph and text
      {"ကျွန်တော် သွားမယ်။", "သူ နေမယ်။"},       // Burmese
      {"ቤቱ ትልቅ ነው።", "ልጁ ትንሽ ነው።"},       // Ethiopic
      {"ቤቱ ትልቅ ነው፧", "ልጁ ትንሽ ነው፨"},       // Ethiopic question, paragraph
      {"ቤቱ ትልቅ ነው፡፡", "ልጁ ትንሽ ነው፡፡"},     // Ethiopic, as typed with two word spaces
      {"Նա եկավ։", "Մենք գնացինք։"},      // Armenian
      {"ཁང་པ་ཆེན་པོ་རེད།", "ཁྱི་ཆུང་ཆུང་རེད༎"},   // Tibetan
      {"هل جاء؟", "نعم جاء."},            // Arabic
      {"وہ آیا۔", "ہم گئے۔"},             // Urdu
      {"वह आया।", "हम गए॥"},              // Hindi
      {"সে এল।", "আমরা গেলাম।"},          // Bengali
      {"Πού είναι\u037E", "Εδώ είναι."},  // Greek
  };
  for (const auto& [first, second] : sentences) {
    for (const char* between : {" ", "\n", "  "}) {
      EXPECT_THAT(split({.rules = SentenceRules::kIcu}, first + between + second), ElementsAre(first, second));
    }
  }
  EXPECT_THAT(split({.rules = SentenceRules::kIcu}, "ខ្ញុំទៅ។គាត់នៅ។"), ElementsAre("ខ្ញុំទៅ។", "គាត់នៅ។"));
}

TEST(IcuSplitter, TakesWhatClosesASentenceWithIt) {
  EXPECT_THAT(split({.rules = SentenceRules::kIcu}, "«ខ្ញុំទៅ។» គាត់នៅ។\u201D «ខ្ញុំ»។"),
              ElementsAre("«ខ្ញុំទៅ។»", "គាត់នៅ។\u201D", "«ខ្ញុំ»។"));
  EXPECT_THAT(split({.rules = SentenceRules::kIcu}, "ཁང་པ། །ཁྱི་ཆུང་།། རེད།"),  // shads in pairs
              ElementsAre("ཁང་པ། །", "ཁྱི་ཆུང་།།", "རེད།"));
}

TEST(IcuSplitter, EndsNoSentenceAtMarksThatEndNone) {
  // "And so on" in Khmer. ICU's own rules end a sentence at its first mark since Unicode 15.1.
  const std::string khmer = "ផ្លែប៉ោម ស្វាយ ។ល។ ខ្ញុំទៅ។";
  if (std::atof(U_UNICODE_VERSION) < 15.1) {
    EXPECT_THAT(split({.rules = SentenceRules::kIcu}, khmer), ElementsAre("ផ្លែប៉ោម ស្វាយ ។ល។", "ខ្ញុំទៅ។"));
  } else {
    EXPECT_THAT(split({.rules = SentenceRules::kIcu}, khmer), ElementsAre("ផ្លែប៉ោម ស្វាយ ។", "ល។", "ខ្ញុំទៅ។"));
  }
  EXPECT_THAT(split({.rules = SentenceRules::kIcu}, "༄༅། །ཁང་པ་རེད།"), ElementsAre("༄༅། །ཁང་པ་རེད།"))
      << "the marks at the head of a text";
  EXPECT_THAT(split({.rules = SentenceRules::kIcu}, "ቤቱ፡ትልቅ፡ነው።"), ElementsAre("ቤቱ፡ትልቅ፡ነው።")) << "single word spaces";
}

TEST(IcuSplitter, ServesManyThreadsAtOnce) {
  const auto splitter = make_sentence_splitter({.rules = SentenceRules::kIcu});
  std::vector<int> right(4);
  std::vector<std::thread> threads;
  for (int& count : right) {
    threads.emplace_back([&] {
      std::vector<std::string_view> sentences;
      for (int i = 0; i < 100; ++i) {
        splitter->split("Ask Mr. Who. He knows. Yes?", sentences);
        count += sentences == std::vector<std::string_view>{"Ask Mr. Who.", "He knows.", "Yes?"} ? 1 : 0;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_THAT(right, testing::Each(100));
}

TEST(IcuSplitter, IsIdentifiedByVersionAndLanguage) {
  const std::string english = identity_of(*make_sentence_splitter({.rules = SentenceRules::kIcu}));
  EXPECT_THAT(english, testing::MatchesRegex("icu [0-9]+\\.[0-9]+, language en, abbreviation rules 1, script rules 1"));
  EXPECT_NE(identity_of(*make_sentence_splitter({.rules = SentenceRules::kIcu, .language = "de"})), english);
}

}  // namespace
}  // namespace bertprep::test
