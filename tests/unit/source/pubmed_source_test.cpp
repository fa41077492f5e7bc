#include "source/formats/pubmed_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "support/memory_stream.h"
#include "support/packed.h"
#include "support/read_documents.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

using test::Articles;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kHead =
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!DOCTYPE PubmedArticleSet PUBLIC \"-//NLM//DTD PubMedArticle\" "
    "\"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_190101.dtd\">\n<PubmedArticleSet>\n";
const std::string kEnd = "</PubmedArticleSet>\n";

std::string article(const std::string& pmid, const std::string& inside) {
  return "<PubmedArticle><MedlineCitation>\n<PMID Version=\"1\">" + pmid + "</PMID>\n<Article>" + inside +
         "</Article></MedlineCitation></PubmedArticle>\n";
}

std::string with_abstract(const std::string& pmid, const std::string& text) {
  return article(
      pmid, "<ArticleTitle>T" + pmid + "</ArticleTitle><Abstract><AbstractText>" + text + "</AbstractText></Abstract>");
}

class PubmedSourceTest : public testing::Test {
 protected:
  test::Reading read(const std::string& bytes, const std::string& max_article = "") {
    path_ = folder_.write("p.xml", bytes);
    return test::read_documents({path_}, {.format = InputFormat::kPubmed, .max_article = max_article});
  }

  // The text of the only citation.
  std::string text_of(const std::string& inside) {
    const auto articles = read(kHead + article("1", inside) + kEnd).articles;
    return articles.size() == 1 ? articles[0].text : std::to_string(articles.size()) + " articles";
  }

  test::TempFolder folder_;
  std::filesystem::path path_;
};

TEST_F(PubmedSourceTest, JoinsTitleAndSectionsOfTheAbstract) {
  EXPECT_EQ(text_of("<ArticleTitle>A title.</ArticleTitle><Abstract><AbstractText Label=\"AIM\" NlmCategory=\"O\">To"
                    " see.</AbstractText>\n<AbstractText Label=\"UNLABELLED\">So.</AbstractText><AbstractText>Well"
                    ".</AbstractText><CopyrightInformation>C</CopyrightInformation></Abstract>"),
            "A title.\n\nAIM: To see.\n\nSo.\n\nWell.");
  EXPECT_EQ(text_of("<ArticleTitle/><Abstract><AbstractText>x</AbstractText></Abstract>"), "x");
}

TEST_F(PubmedSourceTest, KeepsTheTextOfTagsWithin) {
  EXPECT_EQ(
      text_of("<ArticleTitle>H<sub>2</sub>O &amp; <i>E.\n   coli</i></ArticleTitle><Abstract><AbstractText>p &lt; "
              "10<sup>-3</sup>, caf&#233;, &#x3B2;: <mml:math><mml:mi>x</mml:mi>\n<mml:mo>=</mml:mo></mml:math>"
              "<![CDATA[<b>]]></AbstractText></Abstract>"),
      "H2O & E. coli\n\np < 10-3, caf\xC3\xA9, \xCE\xB2: x =<b>");
}

TEST_F(PubmedSourceTest, TakesNothingOfWhatACitationQuotes) {
  EXPECT_EQ(text_of("<Abstract><AbstractText>x</AbstractText></Abstract></Article><CommentsCorrectionsList>"
                    "<CommentsCorrections><PMID>7</PMID></CommentsCorrections></CommentsCorrectionsList><OtherAbstract>"
                    "<AbstractText>y</AbstractText></OtherAbstract><Article>"),
            "x");
}

TEST_F(PubmedSourceTest, ReadsOrigins) {
  const auto path = folder_.write(
      "o.xml", kHead +
                   "<PubmedArticle><MedlineCitation><PMID Version=\"1\">42</PMID><DateRevised><Year>2019</Year>"
                   "<Month>02</Month><Day>08</Day></DateRevised><Article><Abstract><AbstractText>x</AbstractText>"
                   "</Abstract></Article></MedlineCitation></PubmedArticle>" +
                   kEnd);
  const auto source = open_source(std::vector{path}, {.format = InputFormat::kPubmed}, {});
  Document document;
  ASSERT_TRUE(source->next(document));
  EXPECT_EQ(document.origin.page_id, "42");
  EXPECT_EQ(document.origin.url, "https://pubmed.ncbi.nlm.nih.gov/42/");
  EXPECT_EQ(document.origin.timestamp, "2019-02-08");
  EXPECT_EQ(document.origin.line, 4U);
  EXPECT_EQ(document.origin.byte, kHead.size());
}

TEST_F(PubmedSourceTest, LeavesOutCitationsWithoutAnAbstract) {
  const auto path =
      folder_.write("n.xml", kHead + article("1", "<ArticleTitle>T</ArticleTitle>") + with_abstract("2", "b") + kEnd);
  const auto source = open_source(std::vector{path}, {.format = InputFormat::kPubmed}, {});
  Document document;
  ASSERT_TRUE(source->next(document));
  EXPECT_EQ(document.origin.page_id, "2");
  EXPECT_FALSE(source->next(document));
  EXPECT_EQ(source->take_left_out().text(), "1 no abstract");
}

TEST_F(PubmedSourceTest, SetsBadCitationsAside) {
  const auto reading = read(kHead + with_abstract("1", "a") + with_abstract("2", "b</i>") +
                            "<PubmedArticle><MedlineCitation>\n" + with_abstract("3", "c &nbsp;") +
                            with_abstract("4", "\xFF") + with_abstract("", "d") + with_abstract("6", "e") + kEnd);
  EXPECT_EQ(reading.articles, (Articles{{"T1", "T1\n\na"}, {"T6", "T6\n\ne"}}));
  std::vector<std::string> reasons;
  for (const auto& rejected : reading.rejected) reasons.push_back(rejected.reason);
  EXPECT_THAT(reasons,
              ElementsAre("broken XML: mismatched tag, in line 3 of the citation",
                          "broken XML: no element found, in line 2 of the citation",
                          "broken XML: undefined entity, in line 3 of the citation",
                          HasSubstr("broken XML: not well-formed (invalid token)"), "a citation without a PMID"));
  EXPECT_EQ(reading.rejected[1].where, path_.string() + ":10");
}

TEST_F(PubmedSourceTest, NamesDeletedCitations) {
  const auto path = folder_.write("d.xml", kHead + with_abstract("1", "a") +
                                               "<DeleteCitation>\n<PMID Version=\"1\">55</PMID>\n<PMID>56</PMID>\n"
                                               "</DeleteCitation>\n" +
                                               kEnd);
  const auto source = open_source(std::vector{path}, {.format = InputFormat::kPubmed}, {});
  for (Document document; source->next(document);) EXPECT_EQ(document.title, "T1");
  const auto remarks = source->take_remarks();
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_EQ(remarks[0].where, path.string() + ":7");
  EXPECT_EQ(remarks[0].text,
            "citations are marked as deleted, but stay if earlier files have them: 2 citations, 55, 56");
}

TEST_F(PubmedSourceTest, ATruncatedFileIsAnError) {
  EXPECT_THROW(read(kHead + with_abstract("1", "a")), FormatError);
  EXPECT_THROW(read(kHead), FormatError);
  EXPECT_THAT(read(kHead + with_abstract("1", std::string(500, 'x')) + with_abstract("2", "b") + kEnd, "300").articles,
              ElementsAre(test::Article{"T2", "T2\n\nb"}));
}

TEST_F(PubmedSourceTest, IsRecognizedByItsRoot) {
  const std::string bytes = kHead + with_abstract("1", "a") + kEnd;
  EXPECT_EQ(resolve_format(std::vector{folder_.write("a.xml.gz", test::compress("gzip", bytes))}, {}),
            InputFormat::kPubmed);
  path_ = folder_.write("p.xml", bytes);
  try {
    test::read_documents({path_}, {.format = InputFormat::kJsonl});
    ADD_FAILURE();
  } catch (const FormatError& error) {
    EXPECT_THAT(error.what(), HasSubstr("these are citations of PubMed; name the format: `format` pubmed"));
  }
}

// Blocks may end anywhere in a tag.
TEST_F(PubmedSourceTest, BlocksDoNotMatter) {
  const std::string bytes = kHead + with_abstract("1", "a") +
                            "<PubmedBookArticle><BookDocument><PMID>2</PMID>"
                            "</BookDocument></PubmedBookArticle>" +
                            with_abstract("3", "<PubmedBook>") + kEnd;
  for (std::size_t block = 1; block < 60; ++block) {
    const auto records = citation_records("x", std::make_unique<test::MemoryStream>(bytes, block), 1 << 20);
    std::string joined;
    for (std::string record; records->next(record);) {
      EXPECT_EQ(bytes.substr(records->byte(), record.size()), record);
      joined += record + "\n";
    }
    EXPECT_EQ(std::count(joined.begin(), joined.end(), '\n'), 7) << joined;
  }
}

}  // namespace
}  // namespace bertprep
