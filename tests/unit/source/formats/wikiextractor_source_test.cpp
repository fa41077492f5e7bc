#include "source/formats/wikiextractor_source.h"

#include <gtest/gtest.h>

#include "support/read_documents.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

class WikiextractorSourceTest : public testing::Test {
 protected:
  test::Reading read(const std::vector<std::filesystem::path>& inputs) {
    SourceOptions options;
    options.format = InputFormat::kWikiextractor;
    return test::read_documents(inputs, options);
  }
  test::TempFolder folder_;
};

constexpr std::string_view kTwo =
    "<doc id=\"1\" url=\"u?curid=1\" title=\"A \"B\" C\">\nA \"B\" C\n\none\n\ntwo \n\n</doc>\n"
    "<doc id=\"2\" url=\"u?curid=2\" title=\"E\">\nE\n\n\n</doc>\n";

TEST_F(WikiextractorSourceTest, ReadsArticles) {
  const auto file = folder_.write("wiki_00", kTwo);
  EXPECT_EQ(read({file}).articles, (std::vector<test::Article>{{"A \"B\" C", "\none\n\ntwo \n\n"}, {"E", "\n\n"}}));
  SourceOptions options;
  options.format = InputFormat::kWikiextractor;
  const auto source = open_source({&file, 1}, options, {});
  Document document;
  ASSERT_TRUE(source->next(document));
  EXPECT_EQ(document.origin.page_id, "1");
  EXPECT_EQ(document.origin.url, "u?curid=1");
  EXPECT_EQ(document.layout, ArticleLayout::kReference);
}

TEST_F(WikiextractorSourceTest, FollowsWordsOfTheFormatInText) {
  const auto file = folder_.write("wiki_00",
                                  "before\n<doc id=\"1\" title=\"A\">\nA\none </doc> x\nlost\n</doc>\n"
                                  "<doc id=\"2\" title=\"B\">\nB\ntwo\nlost <doc id= here\nthree\n</doc>\n");
  EXPECT_EQ(read({file}).articles, (std::vector<test::Article>{{"A", ""}, {"A", ""}, {"B", "two\nthree\n"}}));
}

TEST_F(WikiextractorSourceTest, OfAFolderTheExtractorsFilesAreRead) {
  folder_.write("x/AB/wiki_00", "<doc id=\"3\" title=\"C\">\nC\nc\n</doc>\n");
  folder_.write("x/AA/wiki_00", kTwo);
  folder_.write("x/articles.jsonl", "{}\n");
  const auto articles = read({folder_ / "x"}).articles;
  ASSERT_EQ(articles.size(), 3U);
  EXPECT_EQ(articles[2].title, "C");
}

TEST_F(WikiextractorSourceTest, RejectsWhatHasNoEndOrIsNotUtf8) {
  const auto file =
      folder_.write("wiki_00",
                    "<doc id=\"1\" title=\"A\">\nA\n\xFF\n</doc>\n<doc id=\"2\" title=\"B\">\nB\nb\n</doc>\n"
                    "<doc id=\"3\" title=\"C\">\nC\nc\n");
  const auto reading = read({file});
  EXPECT_EQ(reading.articles, (std::vector<test::Article>{{"B", "b\n"}}));
  ASSERT_EQ(reading.rejected.size(), 2U);
  EXPECT_EQ(reading.rejected[0].where, file.native() + ":1");
  EXPECT_EQ(reading.rejected[1].where, file.native() + ":9");
}

}  // namespace
}  // namespace bertprep
