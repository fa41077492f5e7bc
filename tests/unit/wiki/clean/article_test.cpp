// The result of a page: paragraphs, lists, headings, and skipped pages.
#include <gtest/gtest.h>

#include "support/clean_text.h"
#include "wiki/article_extractor.h"

namespace bertprep {
namespace {

using test::clean_page;
using test::clean_text;

WikiOptions with(bool lists, bool headings, std::int64_t min_length = 0) {
  return {.lists = lists, .headings = headings, .min_length = min_length};
}

constexpr std::string_view kPage =
    "Lead '''text'''\ngoes on.\n\n== Empty ==\n== Things ==\n=== Small ones ===\n* first [[item]]\n# second\n"
    ": indented\n== Last ==\nEnd.\n";

TEST(CleanArticle, LinesOfOneParagraphAreOneLine) {
  EXPECT_EQ(clean_text("One\ntwo\n\nthree\n\n\n\nfour"), "One two\nthree\nfour\n");
  EXPECT_EQ(clean_text("漢字\n仮名"), "漢字仮名\n");
}

TEST(CleanArticle, ListsAndHeadingsAreLeftOut) {
  EXPECT_EQ(clean_text(kPage), "Lead text goes on.\nEnd.\n");
}

TEST(CleanArticle, ListsAreKeptOnRequest) {
  EXPECT_EQ(clean_page("T", kPage, with(true, false)).lines,
            "Lead text goes on.\nfirst item\nsecond\nindented\nEnd.\n");
}

TEST(CleanArticle, HeadingsAreKeptWhereTextFollows) {
  EXPECT_EQ(clean_page("T", kPage, with(false, true)).lines, "Lead text goes on.\nLast\nEnd.\n");
  EXPECT_EQ(clean_page("T", kPage, with(true, true)).lines,
            "Lead text goes on.\nThings\nSmall ones\nfirst item\nsecond\nindented\nLast\nEnd.\n");
}

TEST(CleanArticle, EmptyLinesPartParagraphsOnRequest) {
  WikiOptions choice = with(true, true);
  choice.as_is = true;
  EXPECT_EQ(clean_page("T", "One\ntwo\n\nthree\n" + std::string(kPage), choice).lines,
            "One two\n\nthree Lead text goes on.\n\nThings\n\nSmall ones\n\nfirst item\nsecond\nindented\n\nLast\n\n"
            "End.\n");
}

TEST(CleanArticle, AnIndentedQuotationIsProse) {
  const std::string quotation =
      "We hold these truths to be self-evident, that all men are created equal, and that they have rights that nobody "
      "may take away.";
  EXPECT_EQ(clean_text("He wrote:\n:" + quotation + "\n:short\n:''" + quotation + "''"),
            "He wrote:\n" + quotation + "\n");
}

TEST(CleanArticle, RedirectsAreLeftOut) {
  for (const auto* text : {"#REDIRECT [[Other]]", "#redirect: [[Other]]", "\n#Weiterleitung [[Anderes]]",
                           "#ПЕРЕНАПРАВЛЕНИЕ [[Другое]]", "#REDIRECTION[[Autre]]"}) {
    EXPECT_EQ(clean_page("T", text).left_out, kRedirectReason) << text;
  }
  EXPECT_EQ(clean_page("T", "# [[Item]] of a list\n\nText.").left_out, "");
}

TEST(CleanArticle, DisambiguationPagesAreLeftOut) {
  for (const auto* text :
       {"Mercury may be:\n* a planet\n{{disambiguation}}", "{{Hndis|Smith}}", "A {{Disambig}}", "A {{Begriffsklärung}}",
        "A {{Неоднозначность}}", "A {{homonymie}}", "A __DISAMBIG__", "A {{Human name disambiguation}}"}) {
    EXPECT_EQ(clean_page("T", text).left_out, kDisambiguationReason) << text;
  }
  EXPECT_EQ(clean_page("Mercury (disambiguation)", "Text").left_out, kDisambiguationReason);
  EXPECT_EQ(clean_page("Arte (disambigua)", "Text").left_out, kDisambiguationReason);
}

TEST(CleanArticle, RemarksAboutDisambiguationDropNothing) {
  EXPECT_EQ(clean_text("A [[link]]{{disambiguation needed}} here. {{Begriffsklärungshinweis}}"), "A link here.\n");
  std::string long_text = "{{disambig}} ";
  for (int i = 0; i < 100; ++i) long_text += "This is a sentence of an article. ";
  EXPECT_EQ(clean_page("T", long_text).left_out, "");
}

TEST(CleanArticle, ShortPagesAreLeftOut) {
  EXPECT_EQ(clean_page("T", "12345", with(false, false, 5)).left_out, "");
  EXPECT_EQ(clean_page("T", "ééééé", with(false, false, 5)).left_out, "");
  const auto left_out = clean_page("T", "1234", with(false, false, 5));
  EXPECT_EQ(left_out.left_out, kTooShortReason);
  EXPECT_EQ(left_out.lines, "");
}

TEST(CleanArticle, APageWithoutTextSaysSo) {
  EXPECT_EQ(clean_page("T", "{{Infobox|a=b}}\n[[Category:X]]").left_out, kNoTextReason);
}

TEST(CleanArticle, TextThatWasEscapedTwiceIsReadAll) {
  const std::string once = "A<ref>x</ref> b<ref>x</ref> c<ref>x</ref> d.";
  EXPECT_EQ(clean_text(test::escape_as_dump(once)), "A b c d.\n");
}

TEST(CleanArticle, AnExtractorForgetsThePageBefore) {
  auto site = std::make_shared<WikiSite>();
  CleanExtractor extractor({.holes = HoleRule::kKeep}, site);
  std::string lines = "old";
  WikiPage page;
  page.text = "One {{unclosed\n\n== H ==\n";
  EXPECT_EQ(extractor.extract(page, lines), "");
  page.text = "Two.";
  EXPECT_EQ(extractor.extract(page, lines), "");
  EXPECT_EQ(lines, "Two.\n");
}

TEST(CleanArticle, TheExtractorOfArticlesTakesThisWayWhenRequested) {
  const auto site = std::make_shared<WikiSite>();
  WikiOptions options;
  options.clean = true;
  ArticleExtractor extractor(options, site, nullptr);
  std::string lines;
  WikiPage page;
  page.text = "#REDIRECT [[Other]]";
  EXPECT_FALSE(extractor.extract(page, lines));
  EXPECT_EQ(extractor.left_out(), "redirect");
  EXPECT_EQ(lines, "");
  page.text = "H&lt;sub&gt;2&lt;/sub&gt;O";
  EXPECT_FALSE(extractor.extract(page, lines));
  EXPECT_EQ(extractor.left_out(), "");
  EXPECT_EQ(lines, "H2O\n");
  EXPECT_FALSE(ArticleExtractor({}, site, nullptr).extract(page, lines));
  EXPECT_EQ(lines, "HO\n");
}

}  // namespace
}  // namespace bertprep
