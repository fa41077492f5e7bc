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

Articles read_sentences(std::string_view bytes) {
  const test::TempFolder folder;
  const auto source = sentences_reader({}, {})(test::file_input(folder.write("s.txt", bytes)));
  return test::drain(*source);
}

TEST(SentencesSource, ABlankLineEndsAnArticle) {
  EXPECT_EQ(read_sentences("a b .\nc d .\n\ne .\n\n"), (Articles{{"", "a b .\nc d ."}, {"", "e ."}}));
}

TEST(SentencesSource, ManyBlankLinesEndOneArticle) {
  EXPECT_EQ(read_sentences("\n\na\n\n \t\n\xC2\xA0\n\x1D\nb"), (Articles{{"", "a"}, {"", "b"}}));
}

TEST(SentencesSource, StripsSentences) {
  EXPECT_EQ(read_sentences("  a \n\xE3\x80\x80"
                           "b\t\n"),
            (Articles{{"", "a\nb"}}));
}

TEST(SentencesSource, EndsLinesAtAnyNewline) {
  const Articles expected{{"", "a\nb"}, {"", "c"}};
  for (const char* text : {"a\nb\n\nc\n", "a\r\nb\r\n\r\nc\r\n", "a\rb\r\rc\r", "a\rb\r\rc", "a\r\nb\n\rc\n",
                           "a\nb\r\n\nc", "a\r\nb\r\r\nc"}) {
    EXPECT_EQ(read_sentences(text), expected) << text;
  }
}

TEST(SentencesSource, OtherLineSeparatorsEndNoLine) {
  const std::string line =
      "a\vb\fc\x1C"
      "d\xC2\x85"
      "e\xE2\x80\xA8"
      "f";
  EXPECT_EQ(read_sentences(line + "\n"), (Articles{{"", line}}));
}

TEST(SentencesSource, AZeroWidthSpaceIsASentence) {
  EXPECT_EQ(read_sentences("a\n\xE2\x80\x8B\nb\n"), (Articles{{"", "a\n\xE2\x80\x8B\nb"}}));
}

TEST(SentencesSource, DropsAByteOrderMark) {
  EXPECT_EQ(read_sentences("\xEF\xBB\xBF"
                           "a\nb\n"),
            (Articles{{"", "a\nb"}}));
}

TEST(SentencesSource, GivesNothingForBlankFiles) {
  for (const char* text : {"", "\n", "\r", " \n\r\n \r"}) EXPECT_TRUE(read_sentences(text).empty());
}

TEST(SentencesSource, RefusesInvalidUtf8) {
  EXPECT_THROW(read_sentences("a\n\xFF\n"), FormatError);
  EXPECT_THROW(read_sentences("a\n\xED\xA0\x80\n"), FormatError);
  EXPECT_THROW(read_sentences("a\xE2\x82"), FormatError);
}

TEST(SentencesSource, SaysWhereArticlesBegin) {
  const test::TempFolder folder;
  const auto source = sentences_reader({}, {})(test::file_input(folder.write("s.txt", "\n\na\nb\n\n \n c\n")));
  EXPECT_EQ(test::places(*source), (std::vector<test::Place>{{3, 2}, {7, 9}}));
}

}  // namespace
}  // namespace bertprep
