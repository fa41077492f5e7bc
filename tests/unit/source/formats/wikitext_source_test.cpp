#include "source/formats/text_source.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "support/read_documents.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

using test::Articles;

Articles read(std::string_view bytes) {
  const test::TempFolder folder;
  const auto source = wikitext_reader({}, {})(test::file_input(folder.write("wiki.train.tokens", bytes)));
  return test::drain(*source);
}

TEST(WikitextLine, TellsTitlesFromSectionsAndText) {
  for (const char* title : {" = Ab = ", " = A = B = ", " = a == b = ", " =    = ", " = \xC3\xA9t = "}) {
    EXPECT_TRUE(looks_like_wikitext_title(title)) << title;
  }
  for (const char* text : {" = A = ", " = \xC3\xA9 = ", "= Ab = ", " = Ab =", " = = Ab = = ", " = =b = ", " = ",
                           " =  = ", " = Ab = \r", "", " = = = Ab = = = "}) {
    EXPECT_FALSE(looks_like_wikitext_title(text)) << text;
  }
  for (const char* section : {" = = Ab = = ", " = =  = = ", " = = = Ab = = = "}) {
    EXPECT_TRUE(is_wikitext_section(section)) << section;
  }
  for (const char* text : {" = = = = ", " = Ab = ", "= = Ab = = ", " = = Ab = =", " = = "}) {
    EXPECT_FALSE(is_wikitext_section(text)) << text;
  }
  EXPECT_EQ(wikitext_title(" = Robert <unk> = "), "Robert <unk>");
}

TEST(WikitextSource, FindsATitleAfterAByteOrderMark) {
  EXPECT_EQ(read("\xEF\xBB\xBF = Ab = \n\n a\n"), (Articles{{"Ab", "a"}}));
}

TEST(WikitextSource, DetokenizesEachLineIfRequested) {
  const test::TempFolder folder;
  const std::string text = " \n = A @-@ bell = \n \n It 's old , \n = = Use = = \n = no title = \n ( red ) . \n";
  const auto source = wikitext_reader({.detokenize = Detokenization::kWikitext},
                                      {})(test::file_input(folder.write("wiki.train.tokens", text)));
  EXPECT_EQ(test::drain(*source), (Articles{{"A @-@ bell", "It's old, = no title = (red)."}}));
}

Articles read_as_is(std::string_view bytes, Detokenization detokenize = Detokenization::kNone) {
  const test::TempFolder folder;
  const auto source = wikitext_reader({.detokenize = detokenize, .as_is = true},
                                      {})(test::file_input(folder.write("wiki.train.tokens", bytes)));
  return test::drain(*source);
}

TEST(WikitextSource, AsItIsAnArticleHasAllItsLines) {
  EXPECT_EQ(
      read_as_is(" \n = First one = \n \n a b . \n c . \n \n = = Life = = \n \n d . \n \n = Second = \n \n e . \n"),
      (Articles{{"First one", " = First one = \n \n a b . \n c . \n \n = = Life = = \n \n d . \n \n"},
                {"Second", " = Second = \n \n e . \n"}}));
  EXPECT_EQ(read_as_is(" = Ab = \n\n = = Only = = \n\n = Ef = \n\n y\r\n"), (Articles{{"Ef", " = Ef = \n\n y\r\n"}}))
      << "headings alone are no text";
  EXPECT_EQ(read_as_is(" = Ab = \n\n It 's 1 @,@ 250 . \n", Detokenization::kWikitext),
            (Articles{{"Ab", " = Ab =\n\n It's 1,250.\n"}}));
}

TEST(WikitextSource, ReadsArticlesBetweenTitles) {
  EXPECT_EQ(read(" \n = First one = \n \n a b . \n c . \n \n = = Early life = = \n \n d . \n \n = Second = "
                 "\n \n e . \n"),
            (Articles{{"First one", "a b . c . d ."}, {"Second", "e ."}}));
}

TEST(WikitextSource, GivesTextBeforeTheFirstTitleAsAnArticle) {
  EXPECT_EQ(read(" a . \n \n = Title = \n \n b . \n"), (Articles{{"", "a ."}, {"Title", "b ."}}));
}

TEST(WikitextSource, TakesATitleWithoutBlankNeighboursAsText) {
  EXPECT_EQ(read(" \n = Not yet = \n a . \n = Nor here = \n \n = But here = \n \n b . \n"),
            (Articles{{"", "= Not yet = a . = Nor here ="}, {"But here", "b ."}}));
}

TEST(WikitextSource, EndsOfTheFileCountAsBlankLines) {
  EXPECT_EQ(read(" = Title = \n\n a . \n\n = Last = "), (Articles{{"Title", "a ."}}));
  EXPECT_EQ(read(" = Title = \n\n a . \n\n = Last = \n"), (Articles{{"Title", "a ."}}));
}

TEST(WikitextSource, LeavesOutTitlesWithoutText) {
  EXPECT_EQ(read(" = One = \n\n = Two = \n\n = = Only a section = = \n\n = Three = \n\n a . \n"),
            (Articles{{"Three", "a ."}}));
}

TEST(WikitextSource, KnowsNoTitlesInFilesWithCarriageReturns) {
  EXPECT_EQ(read(" = One = \r\n\r\n a . \r\n"), (Articles{{"", "= One = a ."}}));
}

TEST(WikitextSource, GivesNothingForBlankFiles) {
  for (const char* text : {"", "\n \n", " = = Section = = \n"}) EXPECT_TRUE(read(text).empty()) << text;
}

TEST(WikitextSource, RefusesInvalidUtf8AlsoAfterATitle) {
  EXPECT_THROW(read(" = One = \n\xFF\n"), FormatError);
  EXPECT_THROW(read(" = O\xFFne = \n\n"), FormatError);
}

TEST(WikitextSource, SaysWhereArticlesBegin) {
  const test::TempFolder folder;
  const auto source = wikitext_reader(
      {}, {})(test::file_input(folder.write("w", " \nBefore.\n \n = One = \n \n = = S = = \n a\n\n = Two = \n\nb\n")));
  EXPECT_EQ(test::places(*source), (std::vector<test::Place>{{2, 2}, {4, 12}, {9, 40}}));
}

}  // namespace
}  // namespace bertprep
