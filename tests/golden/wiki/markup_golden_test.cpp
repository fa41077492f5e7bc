// Whole dumps through the extractor, against the reference's output, byte for byte.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "support/golden_data.h"
#include "twins/dump.h"
#include "wiki/article_extractor.h"

namespace bertprep {
namespace {

class MarkupGolden : public test::GoldenTest {
 protected:
  // Compares all articles of the dump INPUT with the folder EXPECTED of the goldens.
  void compare(const std::string& input, const std::string& expected, const WikiOptions& options = {}) {
    const auto folder = shared() / "goldens" / "wiki";
    test::PlainDump dump = test::read_plain_dump(test::read_maybe_xz(folder / (input + ".xml")));
    dump.site.clock = "2020-07-22T12:00:00";
    std::string articles = test::read_maybe_xz(folder / expected / "extracted" / "AA" / "wiki_00");
    // The one deliberate difference: the reference writes a NUL.
    for (std::size_t nul = 0; (nul = articles.find('\0', nul)) != articles.npos;) articles.replace(nul, 1, "&#0;");
    ArticleExtractor extractor(options, std::make_shared<const WikiSite>(dump.site), nullptr);
    std::size_t at = 0, different = 0;
    std::string lines;
    for (const WikiPage& page : dump.pages) {
      ASSERT_FALSE(extractor.extract(page, lines)) << page.title;
      const std::string article = "<doc id=\"" + page.id + "\" url=\"" + dump.site.url_base + "?curid=" + page.id +
                                  "\" title=\"" + page.title + "\">\n" + page.title + "\n\n" + lines + "\n</doc>\n";
      const std::size_t end = articles.find("\n</doc>\n<doc id=\"", at);
      const std::string in_reference = articles.substr(at, end == articles.npos ? end : end + 8 - at);
      different += article != in_reference ? 1 : 0;
      if (different <= 3) {
        EXPECT_EQ(article, in_reference) << page.title;
      }
      at += in_reference.size();
    }
    EXPECT_EQ(different, 0U) << "of " << dump.pages.size() << " articles";
    EXPECT_EQ(at, articles.size());
  }

  static WikiOptions without_templates() {
    WikiOptions options;
    options.no_templates = true;
    return options;
  }
};

TEST_F(MarkupGolden, EnglishArticles) {
  compare("enwiki2016", "enwiki2016.default");
  compare("enwiki2016", "enwiki2016.notpl", without_templates());
}

TEST_F(MarkupGolden, Tables) {
  compare("enwiki2017-tables", "enwiki2017-tables.default");
}

TEST_F(MarkupGolden, AWholeSmallWiki) {
  compare("ltgwiki", "ltgwiki.default");
  compare("ltgwiki", "ltgwiki.notpl", without_templates());
}

TEST_F(MarkupGolden, BrokenMarkup) {
  compare("fuzz", "fuzz.default");
  compare("fuzz", "fuzz.notpl", without_templates());
}

TEST_F(MarkupGolden, OddXml) {
  compare("edge-xml", "edge-xml.default");
}

}  // namespace
}  // namespace bertprep
