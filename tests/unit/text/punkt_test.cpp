#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "bertprep/base/error.h"
#include "bertprep/text/sentences.h"
#include "support/golden_data.h"
#include "support/small_punkt.h"
#include "support/thrown.h"
#include "text/punkt_words.h"

namespace bertprep::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::vector<std::string> words_of(std::string_view text) {
  PunktWords words(text);
  std::vector<std::string> found;
  for (std::string_view word; words.next(word);) found.emplace_back(word);
  return found;
}

TEST(PunktWords, EndsAWordAtSpacesQuotesAndCommas) {
  EXPECT_THAT(words_of("don't stop, (please) e.g. 1,000."),
              ElementsAre("don", "'t", "stop", ",", "(", "please", ")", "e.g.", "1,000."));
  EXPECT_THAT(words_of(" \u00A0a\u3000b "), ElementsAre("a", "b"));
  EXPECT_THAT(words_of(""), IsEmpty());
}

TEST(PunktWords, KeepsDotsAndDashesTogether) {
  EXPECT_THAT(words_of("a...b -- c---d"), ElementsAre("a", "...", "b", "--", "c", "---", "d"));
  EXPECT_THAT(words_of("a . . . b"), ElementsAre("a", ". . .", "b"));
  EXPECT_THAT(words_of(". . b"), ElementsAre(".", ".", "b"));
  EXPECT_THAT(words_of(". . .x"), ElementsAre(". . .", "x"));
  EXPECT_THAT(words_of(". .\n."), ElementsAre(".", ".", "."));
  EXPECT_THAT(words_of("a,-- b-c"), ElementsAre("a", ",", "--", "b-c"));
}

class Punkt : public testing::Test {
 protected:
  std::vector<std::string> split(std::string_view article) const {
    std::vector<std::string_view> sentences{"left over"};
    splitter_->split(article, sentences);
    return {sentences.begin(), sentences.end()};
  }

  SmallPunkt punkt_;
  std::shared_ptr<const SentenceSplitter> splitter_ =
      make_sentence_splitter({.rules = SentenceRules::kPunkt, .punkt = punkt_.folder().string()});
};

TEST_F(Punkt, SplitsAfterMarks) {
  EXPECT_THAT(split("One ends. Two? Three! Four"), ElementsAre("One ends.", "Two?", "Three!", "Four"));
  EXPECT_THAT(split("  kept at the front. cut at the end \u00A0"),
              ElementsAre("  kept at the front.", "cut at the end"));
  EXPECT_THAT(split(""), IsEmpty());
  EXPECT_THAT(split(" \t "), IsEmpty());
}

TEST_F(Punkt, ContinuesAfterAbbreviations) {
  EXPECT_THAT(split("Ask Dr. Who. He knows."), ElementsAre("Ask Dr. Who.", "He knows."));
  EXPECT_THAT(split("It ran until 5 pm. The end."), ElementsAre("It ran until 5 pm.", "The end."));
}

TEST_F(Punkt, ContinuesAfterInitialsNumbersAndCollocations) {
  EXPECT_THAT(split("I like J. Bach and J. Brahms. You?"), ElementsAre("I like J. Bach and J. Brahms.", "You?"));
  EXPECT_THAT(split("Page 12. about it."), ElementsAre("Page 12. about it."));
  EXPECT_THAT(split("Page 12. The next."), ElementsAre("Page 12.", "The next."));
}

TEST_F(Punkt, GivesClosingQuotesToTheSentenceBefore) {
  EXPECT_THAT(split("\"Go away!\" he said. (So he did.) Good."),
              ElementsAre("\"Go away!\"", "he said.", "(So he did.)", "Good."));
}

TEST_F(Punkt, CountsTheLastOfSeveralMarks) {
  EXPECT_THAT(split("wow!!! Yes"), ElementsAre("wow!!!", "Yes"));
  EXPECT_THAT(split("wow !!! Yes"), ElementsAre("wow !", "!!", "Yes"));
}

TEST_F(Punkt, ServesManyThreadsAtOnce) {
  const std::string article = "Ask Dr. Who. He knows. Σ. \u0414\u043E\u043C! Yes? No.";
  const auto expected = split(article);
  std::vector<int> right(4);
  std::vector<std::thread> threads;
  for (int& count : right) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) count += split(article) == expected ? 1 : 0;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_THAT(right, testing::Each(100));
}

TEST_F(Punkt, IsIdentifiedByItsParameters) {
  const std::string identity = identity_of(*splitter_);
  EXPECT_THAT(identity, StartsWith("punkt sha256:"));
  EXPECT_EQ(identity.size(), std::string("punkt sha256:").size() + 64);
  const SmallPunkt same;
  EXPECT_EQ(identity_of(*make_sentence_splitter({.punkt = same.folder().string()})), identity);
  TempFolder changed;
  for (const auto& entry : std::filesystem::directory_iterator(punkt_.folder())) {
    changed.write(entry.path().filename().string(), read_bytes(entry.path()));
  }
  changed.write("abbrev_types.txt", "dr\n");
  EXPECT_NE(identity_of(*make_sentence_splitter({.punkt = changed.path().string()})), identity);
}

// Parameters of which one file is replaced, or missing where `bytes` is null.
std::string error_with(const char* name, const char* bytes) {
  const SmallPunkt punkt;
  if (bytes == nullptr) {
    std::filesystem::remove(punkt.folder() / name);
  } else {
    TempFolder scratch;
    std::filesystem::copy_file(scratch.write(name, bytes), punkt.folder() / name,
                               std::filesystem::copy_options::overwrite_existing);
  }
  return thrown_by([&] { make_sentence_splitter({.punkt = punkt.folder().string()}); });
}

TEST(PunktParameters, NamesTheMissingFile) {
  for (const char* name : {"abbrev_types.txt", "collocations.tab", "ortho_context.tab", "sent_starters.txt"}) {
    EXPECT_THAT(error_with(name, nullptr), HasSubstr(name));
  }
}

TEST(PunktParameters, NamesTheDamagedLine) {
  EXPECT_THAT(error_with("abbrev_types.txt", "dr\n\nmr\n"), HasSubstr("abbrev_types.txt:2: empty line"));
  EXPECT_THAT(error_with("abbrev_types.txt", "dr\tmr\n"), HasSubstr("abbrev_types.txt:1: a tab"));
  EXPECT_THAT(error_with("sent_starters.txt", "the\r\n"), HasSubstr("sent_starters.txt:1: line ends in CR LF"));
  EXPECT_THAT(error_with("sent_starters.txt", "the\nth\xC3"), HasSubstr("sent_starters.txt:2"));
  EXPECT_THAT(error_with("collocations.tab", "a\tb\na\n"), HasSubstr("collocations.tab:2: no tab"));
  EXPECT_THAT(error_with("collocations.tab", "a\tb\tc\n"), HasSubstr("collocations.tab:1: more than two"));
  EXPECT_THAT(error_with("ortho_context.tab", "a\t1\nb\t12x\n"), HasSubstr("ortho_context.tab:2: 12x is not"));
  EXPECT_THAT(error_with("ortho_context.tab", "a\t256\n"), HasSubstr("ortho_context.tab:1: 256 is not"));
  EXPECT_THAT(error_with("ortho_context.tab", ""), HasSubstr("ortho_context.tab: file is empty"));
}

TEST(PunktParameters, NeedNoFinalLineFeedAndMayLackCollocations) {
  EXPECT_EQ(error_with("abbrev_types.txt", "dr\nmr"), "nothing thrown");
  EXPECT_EQ(error_with("collocations.tab", ""), "nothing thrown");
}

TEST(PunktParameters, NameTheFolderThatDoesNotExist) {
  try {
    make_sentence_splitter({.punkt = "no/such/folder"});
    FAIL() << "nothing thrown";
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), HasSubstr("no/such/folder"));
    EXPECT_THAT(error.what(), HasSubstr("`sentences` icu"));
  }
}

}  // namespace
}  // namespace bertprep::test
