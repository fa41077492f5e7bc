// The search index of a Wikipedia on a server with Wikimedia's layout.
#include "bertprep/base/error.h"
#include "unit/fetch/fetch_fixture.h"

namespace bertprep::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

class CirrusFilesTest : public FetchTest {
 protected:
  void SetUp() override {
    if (!Nginx::is_installed()) GTEST_SKIP() << "skipped: nginx is not installed (scripts/install-deps.sh --tests)";
    options_.retries = 0;
    put_index("20260816", 2);
    nginx_ = std::make_unique<Nginx>(folder_ / "files", folder_ / "nginx");
    options_.mirror = nginx_->url();
  }
  static std::string name(const std::string& date, int part) {
    return "xxwiki_content-" + date + "-0000" + std::to_string(part) + ".json.bz2";
  }
  std::string folder_of(const std::string& date) const {
    return "files/other/cirrus_search_index/" + date + "/index_name=xxwiki_content/";
  }
  void put_index(const std::string& date, int parts, bool is_complete = true) {
    for (int i = 0; i < parts; ++i) folder_.write(folder_of(date) + name(date, i), "BZh9 " + name(date, i));
    if (is_complete) folder_.write(folder_of(date) + "_SUCCESS", "");
  }
  std::vector<fs::path> fetch() {
    const FetchedDataset dataset = fetch_dataset("cirrus_xx", folder_ / "dl", options_, progress_);
    EXPECT_EQ(dataset.name, "cirrus_xx");
    EXPECT_EQ(dataset.parts.at(0).format, "cirrus");
    return dataset.parts[0].files;
  }
  fs::path at(const std::string& file) const { return folder_ / "dl/cirrus_xx" / file; }

  std::unique_ptr<Nginx> nginx_;
};

TEST_F(CirrusFilesTest, AreThoseOfTheLatestCompleteDate) {
  put_index("20260809", 1);
  put_index("20260823", 1, false);
  EXPECT_THAT(fetch(), ElementsAre(at(name("20260816", 0)), at(name("20260816", 1))));
  EXPECT_EQ(read_file_of(at(name("20260816", 1))), "BZh9 " + name("20260816", 1));
  EXPECT_THAT(progress_.notes, HasSubstr("the search index of xxwiki of 20260823 is not complete"));
  EXPECT_THAT(progress_.notes, HasSubstr("cirrus_xx is the search index of 20260816"));
  put_index("20260823", 1);
  EXPECT_EQ(fetch().size(), 2U) << "what was found first counts";
  options_.dump_date = "20260823";
  EXPECT_THAT(fetch(), ElementsAre(at(name("20260823", 0))));
}

TEST_F(CirrusFilesTest, AreCheckedByTheirSizes) {
  put_index("20260816", 1);
  EXPECT_EQ(fetch().size(), 2U);
  folder_.write("dl/cirrus_xx/" + name("20260816", 0), "BZh9");
  fetch();
  EXPECT_EQ(read_file_of(at(name("20260816", 0))), "BZh9 " + name("20260816", 0));
}

TEST_F(CirrusFilesTest, AreAsLargeAsTheServerSays) {
  const DatasetFacts facts = describe_dataset("cirrus_xx", options_, progress_);
  EXPECT_EQ(facts.download_bytes, 2 * ("BZh9 " + name("20260816", 0)).size());
  EXPECT_EQ(facts.text_bytes, facts.download_bytes * 10 / 16);
}

TEST_F(CirrusFilesTest, AreAnErrorWithoutACompleteDate) {
  fs::remove(folder_ / (folder_of("20260816") + "_SUCCESS"));
  EXPECT_THAT(error_of<IoError>([&] { fetch(); }), HasSubstr("no complete search index of xxwiki was found"));
  options_.dump_date = "2026";
  EXPECT_THAT(error_of<ConfigError>([&] { fetch(); }), HasSubstr("'2026' is not a valid date"));
}

TEST_F(CirrusFilesTest, AreTakenFromAFolderOfTheUser) {
  options_.from_file = folder_ / folder_of("20260816");
  EXPECT_EQ(fetch().size(), 2U);
}

}  // namespace
}  // namespace bertprep::test
