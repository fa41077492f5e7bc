#include "source/formats/cirrus_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "support/packed.h"
#include "support/temp_folder.h"
#include "support/thrown.h"

namespace bertprep {
namespace {

using testing::HasSubstr;

std::string action(const std::string& id) {
  return R"({"index":{"_type":"_doc","_id":")" + id + "\"}}\n";
}

std::string page(const std::string& id, const std::string& fields) {
  return action(id) + R"({"version":)" + id + R"(01,"wiki":"xxwiki",)" + fields + "}\n";
}

const std::string kRain =
    page("12", R"("namespace":0,"title":"Rain","timestamp":"2026-08-01T10:00:00Z","text":"It rains. Caf\u00e9.",)"
               R"("source_text":"It '''rains'''.","redirect":[{"namespace":0,"title":"Drizzle"}])");
const std::string kName = "xxwiki_content-20260816-00000.json";

class CirrusSourceTest : public testing::Test {
 protected:
  std::vector<Document> read(const std::string& bytes, const SourceOptions& options = {},
                             const std::string& name = kName) {
    path_ = folder_.write(name, bytes);
    rejected_.clear();
    const RejectSink sink = [&](const auto& where, const auto& reason, auto) {
      rejected_.push_back(where.substr(where.rfind(':') + 1) + ": " + reason);
    };
    const std::vector<std::filesystem::path> inputs{path_};
    const auto source = open_source(inputs, options, sink);
    std::vector<Document> documents;
    for (Document document; source->next(document);) documents.push_back(document);
    left_out_ = source->take_left_out();
    return documents;
  }

  test::TempFolder folder_;
  std::filesystem::path path_;
  std::vector<std::string> rejected_;
  ReasonCounts left_out_;
};

TEST_F(CirrusSourceTest, TakesTextTitleAndOriginOfAPage) {
  const std::string rain = kRain + "\n" + page("7", R"("namespace":0,"title":"Snow","text":"It snows.")");
  for (const auto& [bytes, name] : {std::pair(rain, kName), std::pair(test::compress("bzip2", rain), kName + ".bz2")}) {
    const auto pages = read(bytes, {}, name);
    ASSERT_EQ(pages.size(), 2U);
    EXPECT_EQ(pages[0].title, "Rain");
    EXPECT_EQ(pages[0].text, "It rains. Caf\xC3\xA9.");
    EXPECT_EQ(pages[0].origin.page_id, "12");
    EXPECT_EQ(pages[0].origin.revision_id, "1201");
    EXPECT_EQ(pages[0].origin.timestamp, "2026-08-01T10:00:00Z");
    EXPECT_EQ(pages[0].origin.line, 2U);
    EXPECT_EQ(pages[0].origin.byte, action("12").size());
    EXPECT_EQ(pages[1].title, "Snow");
    EXPECT_EQ(pages[1].origin.page_id, "7");
    EXPECT_EQ(pages[1].origin.timestamp, "");
  }
}

TEST_F(CirrusSourceTest, LeavesOutOtherNamespacesAndPagesWithoutText) {
  const auto pages = read(page("1", R"("namespace":10,"title":"Template:X","text":"x")") + kRain +
                          page("2", R"("namespace":0,"title":"Y","text":" ")") + page("3", R"("text":"x")"));
  ASSERT_EQ(pages.size(), 1U);
  EXPECT_EQ(pages[0].title, "Rain");
  EXPECT_THAT(left_out_.by_reason(), testing::ElementsAre(testing::Pair("page outside of namespace 0", 1),
                                                          testing::Pair("page without a namespace", 1),
                                                          testing::Pair("page without text", 1)));
  EXPECT_TRUE(rejected_.empty());
}

TEST_F(CirrusSourceTest, RejectsBadPagesAndGoesOn) {
  const std::string long_page = page("4", R"("namespace":0,"text":")" + std::string(3000, 'x') + "\"");
  const auto pages =
      read(kRain + action("2") + "{\"namespace\":0,\n" + page("3", R"("namespace":0,"title":"T")") + long_page +
               page("5", "\"namespace\":0,\"text\":\"\xFF\"") + page("6", R"("namespace":0,"text":"b","title":"B")"),
           {.max_article = "2K"});
  ASSERT_EQ(pages.size(), 2U);
  EXPECT_EQ(pages[1].title, "B");
  EXPECT_THAT(rejected_, testing::UnorderedElementsAre(HasSubstr("4: broken JSON"), HasSubstr("6: no field \"text\""),
                                                       HasSubstr("8: it is too long"), HasSubstr("10: invalid UTF-8")));
}

TEST_F(CirrusSourceTest, FindsTheNextPageAfterALineThatNamesNone) {
  const auto pages = read(kRain + "{\"text\":\"lost\"}\n" + page("7", R"("namespace":0,"title":"S","text":"s")"));
  ASSERT_EQ(pages.size(), 2U);
  EXPECT_EQ(pages[1].origin.page_id, "7");
  ASSERT_EQ(rejected_.size(), 1U);
  EXPECT_THAT(rejected_[0], HasSubstr("3: this line does not name a page"));
}

TEST_F(CirrusSourceTest, IsNotCompleteWithoutItsLastPage) {
  EXPECT_THAT(test::thrown_by<FormatError>([&] { read(kRain + action("2")); }),
              HasSubstr(kName + ": the page that the last line names is missing"));
}

}  // namespace
}  // namespace bertprep
