// --templates: definitions collected from a dump, and its articles with them, against the reference's, byte for byte.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "support/golden_data.h"
#include "twins/dump.h"
#include "wiki/article_extractor.h"
#include "wiki/templates/template_store.h"

namespace bertprep {
namespace {

class TemplateGolden : public test::GoldenTest {
 protected:
  void compare(const std::string& name) {
    const auto folder = shared() / "goldens" / "wiki";
    const auto expected = folder / (name + ".tpl");
    test::PlainDump dump = test::read_plain_dump(test::read_maybe_xz(folder / (name + ".xml")));
    dump.site.clock = "2020-07-22T12:00:00";
    auto store = std::make_shared<TemplateStore>();
    std::string file;
    for (const auto& [namespace_key, page] : dump.templates) {
      store->define(page.title, page.text);
      append_template_page(page, namespace_key, file);
    }
    EXPECT_TRUE(file == test::read_maybe_xz(expected / "templates.txt"));
    ArticleExtractor extractor({}, std::make_shared<const WikiSite>(dump.site), store);
    compare_articles(dump, extractor, test::read_maybe_xz(expected / "extracted" / "AA" / "wiki_00"));
  }

 private:
  static void compare_articles(const test::PlainDump& dump, ArticleExtractor& extractor, const std::string& articles) {
    std::string lines;
    std::size_t at = 0, different = 0;
    for (const WikiPage& page : dump.pages) {
      ASSERT_FALSE(extractor.extract(page, lines)) << page.title;
      const std::string article = "<doc id=\"" + page.id + "\" url=\"" + dump.site.url_base + "?curid=" + page.id +
                                  "\" title=\"" + page.title + "\">\n" + page.title + "\n\n" + lines + "\n</doc>\n";
      const std::size_t end = articles.find("\n</doc>\n<doc id=\"", at);
      const std::string in_reference = articles.substr(at, end == articles.npos ? end : end + 8 - at);
      if (article != in_reference && ++different <= 3) {
        EXPECT_EQ(article, in_reference) << page.title;
      }
      at += in_reference.size();
    }
    EXPECT_EQ(different, 0U) << "of " << dump.pages.size() << " articles";
    EXPECT_EQ(at, articles.size());
  }
};

TEST_F(TemplateGolden, AWholeSmallWiki) {
  compare("ltgwiki");
}

TEST_F(TemplateGolden, BrokenTemplates) {
  compare("ltgwiki-fuzz");
}

}  // namespace
}  // namespace bertprep
