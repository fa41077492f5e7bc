#include "pipeline/text_shards/article_lines.h"

#include <gtest/gtest.h>

namespace bertprep {
namespace {

std::string line_of(const std::string& text, ArticleLayout layout = ArticleLayout::kJoined) {
  std::string out;
  append_article_line({.title = {}, .text = text, .layout = layout}, out);
  return out;
}

TEST(JoinedLayout, JoinsStrippedLinesByABlank) {
  EXPECT_EQ(line_of("One. \n\n \t\n  Two.\r\nThree."), "One. Two. Three.\n");
}

TEST(JoinedLayout, SentencesEndAtEmptyLinesOrAtAll) {
  const std::string text = "One\ntwo \n \n\nThree\n\n";
  EXPECT_EQ(line_of(text), "One two Three\n");
  EXPECT_EQ(line_of(text, ArticleLayout::kParagraphs), "One two \x1e Three\n");
  EXPECT_EQ(line_of(text, ArticleLayout::kLines), "One \x1e two \x1e Three\n");
  EXPECT_EQ(line_of("\n\nOne", ArticleLayout::kParagraphs), "One\n");
  EXPECT_EQ(without_sentence_ends("One \x1e two \x1e Three"), "One two Three");
}

TEST(JoinedLayout, KeepsTextWithoutLineBreaks) {
  EXPECT_EQ(line_of("  One.\rTwo. "), "  One.\rTwo.\n");
}

TEST(JoinedLayout, LeavesOutDocumentsWithoutText) {
  EXPECT_EQ(line_of(" \n\u00a0\n"), "");
  EXPECT_EQ(line_of(""), "");
}

TEST(DocumentLine, KeepsEveryByte) {
  std::string out;
  EXPECT_EQ(append_document_line({.title = {}, .text = " a\r\n\t\"b\\ \n"}, out), 1U);
  EXPECT_EQ(append_document_line({.title = {}, .text = " \n"}, out), 0U);
  EXPECT_EQ(append_document_line({.title = {}, .text = "\u00e9\x01"}, out), 1U);
  EXPECT_EQ(out, R"({"text":" a\r\n\t\"b\\ \n"})"
                 "\n"
                 "{\"text\":\"\u00e9\\u0001\"}\n");
}

// The examples of the reference's formatting: a blank after every line, an empty line after the article.
TEST(ReferenceLayout, EndsEveryLineInABlank) {
  EXPECT_EQ(line_of("One.\nTwo.\n", ArticleLayout::kReference), "One. Two. \n\n");
  EXPECT_EQ(line_of("One.\n\n\nTwo.", ArticleLayout::kReference), "One. Two. \n\n");
}

TEST(ReferenceLayout, KeepsBlanksAtTheFrontAndDoublesThoseOfBlankLines) {
  EXPECT_EQ(line_of("One.\n  Two. \t\n \nThree.\n", ArticleLayout::kReference), "One.   Two.  Three. \n\n");
}

TEST(ReferenceLayout, CountsTheArticlesOfADocument) {
  const Document page{.title = {}, .text = "One.\n</doc>\n \n</doc>\nTwo.", .layout = ArticleLayout::kReference};
  std::string out;
  EXPECT_EQ(append_article_line(page, out), 2U);
  EXPECT_EQ(out, "One. \n\n \n\nTwo. \n\n");
}

TEST(ReferenceLayout, WritesAnArticleWithoutTextAsTwoLineBreaks) {
  std::string out;
  EXPECT_EQ(append_article_line({.title = {}, .text = "", .layout = ArticleLayout::kReference}, out), 0U);
  EXPECT_EQ(out, "\n\n");
}

TEST(SentenceLines, EndWithAnEmptyLine) {
  std::string out;
  EXPECT_EQ(append_sentence_lines({.title = {}, .text = "a\r\n b \n\nc"}, out), 1U);
  EXPECT_EQ(append_sentence_lines({.title = {}, .text = " \n"}, out), 0U);
  EXPECT_EQ(out, "a\nb\nc\n\n");
}

}  // namespace
}  // namespace bertprep
