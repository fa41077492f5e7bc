// Dumps of Wikipedias on a server with Wikimedia's layout.
#include <sstream>

#include "bertprep/base/error.h"
#include "unit/fetch/fetch_fixture.h"

namespace bertprep::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

const std::string kName = "xxwiki-20260701-pages-articles";

class WikiTest : public FetchTest {
 protected:
  void SetUp() override {
    if (!Nginx::is_installed()) GTEST_SKIP() << "skipped: nginx is not installed (scripts/install-deps.sh --tests)";
    policy_.retries = 0;
    options_.retries = 0;
  }
  std::string bytes_of(const std::string& name) const { return "BZh9 " + name; }
  void put(const std::string& path) { folder_.write("files/" + path, bytes_of(path.substr(path.rfind('/') + 1))); }
  std::string facts(const std::string& name) const {
    return "\"" + name + "\": {\"size\": " + std::to_string(bytes_of(name).size()) + ", \"sha1\": \"" +
           digest_of(DigestKind::kSha1, bytes_of(name)) + "\", \"md5\": \"" +
           digest_of(DigestKind::kMd5, bytes_of(name)) + "\"}";
  }
  // A dump with these files, listed in dumpstatus.json.
  void put_dump(const std::string& date, const std::string& job, const std::string& status,
                const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& name : names) {
      put("xxwiki/" + date + "/" + name);
      list += (list.empty() ? "" : ", ") + facts(name);
    }
    folder_.write("files/xxwiki/" + date + "/dumpstatus.json", R"({"version": "0.8", "jobs": {")" + job +
                                                                   R"(": {"status": ")" + status +
                                                                   R"(", "updated": "x", "files": {)" + list + "}}}}");
  }
  Nginx& serve() {
    nginx_ = std::make_unique<Nginx>(folder_ / "files", folder_ / "nginx");
    options_.mirror = nginx_->url();
    return *nginx_;
  }
  FetchedPart fetch() {
    const FetchedDataset dataset = fetch_dataset("wikicorpus_xx", folder_ / "dl", options_, progress_);
    EXPECT_EQ(dataset.name, "wikicorpus_xx");
    EXPECT_EQ(dataset.parts.size(), 1U);
    EXPECT_EQ(dataset.parts[0].format, "mediawiki");
    return dataset.parts[0];
  }
  fs::path at(const std::string& name) const { return folder_ / "dl/wikicorpus_xx" / name; }

  std::unique_ptr<Nginx> nginx_;
};

TEST_F(WikiTest, TheLatestThatIsComplete) {
  put_dump("20260720", "articlesmultistreamdump", "in-progress", {});
  put_dump("20260701", "articlesmultistreamdump", "done",
           {kName + "-multistream-index.txt.bz2", kName + "-multistream.xml.bz2"});
  put_dump("20260601", "articlesmultistreamdump", "done", {});
  serve();
  EXPECT_THAT(fetch().files, ElementsAre(at(kName + "-multistream.xml.bz2")));
  EXPECT_TRUE(fs::exists(at(kName + "-multistream-index.txt.bz2")));
  EXPECT_THAT(progress_.notes, HasSubstr("of 20260720 is not complete yet"));
  EXPECT_THAT(progress_.notes, Not(HasSubstr("unchecked")));

  // A newer dump does not affect a folder begun with this one; nor does the server's end.
  put_dump("20260801", "articlesmultistreamdump", "done", {"xxwiki-20260801-pages-articles-multistream.xml.bz2"});
  nginx_.reset();
  EXPECT_THAT(fetch().files, ElementsAre(at(kName + "-multistream.xml.bz2")));
  serve();
  options_.dump_date = "20260801";
  EXPECT_THAT(fetch().files, ElementsAre(at("xxwiki-20260801-pages-articles-multistream.xml.bz2")));
}

// A mirror may list what it does not have.
TEST_F(WikiTest, ADateWithoutAllItsFilesIsLeftForTheOneBefore) {
  put_dump("20260720", "articlesdump", "done",
           {"xxwiki-20260720-pages-articles1.xml-p1p9.bz2", "xxwiki-20260720-pages-articles2.xml-p10p20.bz2"});
  fs::remove(folder_ / "files/xxwiki/20260720/xxwiki-20260720-pages-articles2.xml-p10p20.bz2");
  put_dump("20260701", "articlesdump", "done", {kName + ".xml.bz2"});
  serve();
  EXPECT_THAT(fetch().files, ElementsAre(at(kName + ".xml.bz2")));
  EXPECT_THAT(progress_.notes,
              HasSubstr("the dump of xxwiki of 20260720 lacks xxwiki-20260720-pages-articles2.xml-p10p20.bz2, which no "
                        "server has; the one before it is looked for\n"));
  EXPECT_FALSE(fs::exists(at("xxwiki-20260720-pages-articles1.xml-p1p9.bz2")));
}

TEST_F(WikiTest, PartsInTheOrderOfTheirPages) {
  put_dump("20260701", "articlesdump", "done",
           {kName + "2.xml-p10p20.bz2", kName + "10.xml-p100p200.bz2", kName + "1.xml-p1p9.bz2"});
  serve();
  EXPECT_THROW(fetch(), IoError);  // parts 3 to 9 are missing
  put_dump("20260701", "articlesdump", "done",
           {kName + "2.xml-p10p20.bz2", kName + "3.xml-p21p200.bz2", kName + "1.xml-p1p9.bz2"});
  EXPECT_THAT(fetch().files, ElementsAre(at(kName + "1.xml-p1p9.bz2"), at(kName + "2.xml-p10p20.bz2"),
                                         at(kName + "3.xml-p21p200.bz2")));
}

TEST_F(WikiTest, WithoutAStatusTheListsOfDigestsCount) {
  put("xxwiki/20260701/" + kName + ".xml.bz2");
  folder_.write("files/xxwiki/20260701/xxwiki-20260701-sha1sums.txt",
                digest_of(DigestKind::kSha1, bytes_of(kName + ".xml.bz2")) + "  " + kName + ".xml.bz2\n");
  serve();
  EXPECT_THAT(fetch().files, ElementsAre(at(kName + ".xml.bz2")));
  EXPECT_THAT(progress_.notes, Not(HasSubstr("unchecked")));
}

TEST_F(WikiTest, ADamagedDumpIsAnError) {
  put_dump("20260701", "articlesdump", "done", {kName + ".xml.bz2"});
  std::string damaged = bytes_of(kName + ".xml.bz2");
  damaged.back() = '?';
  folder_.write("files/xxwiki/20260701/" + kName + ".xml.bz2", damaged);
  serve();
  EXPECT_THAT(error_of<FormatError>([this] { fetch(); }), HasSubstr("has the sha1 "));
  EXPECT_FALSE(fs::exists(at(kName + ".xml.bz2")));
}

TEST_F(WikiTest, UndatedFilesAreTheLastResort) {
  put("xxwiki/latest/xxwiki-latest-pages-articles.xml.bz2");
  serve();
  EXPECT_THAT(fetch().files, ElementsAre(at("xxwiki-latest-pages-articles.xml.bz2")));
  EXPECT_THAT(progress_.notes, HasSubstr("unchecked"));
}

TEST_F(WikiTest, ContentFileExportsWhereTheOldLayoutIsGone) {
  const std::string folder = "other/mediawiki_content_current/xxwiki/2026-07-01/xml/bzip2/";
  std::string sums;
  for (const char* name : {"xxwiki-2026-07-01-p401p900.xml.bz2", "xxwiki-2026-07-01-p1p400.xml.bz2"}) {
    put(folder + name);
    sums += digest_of(DigestKind::kSha256, bytes_of(name)) + "  " + name + "\n";
  }
  folder_.write("files/" + folder + "SHA256SUMS", sums);
  folder_.write("files/other/mediawiki_content_current/xxwiki/2026-08-01/xml/bzip2/SHA256SUMS", sums);
  serve();
  EXPECT_THROW(fetch(), IoError);
  folder_.write("files/" + folder + "_SUCCESS", "");
  EXPECT_THAT(fetch().files,
              ElementsAre(at("xxwiki-2026-07-01-p1p400.xml.bz2"), at("xxwiki-2026-07-01-p401p900.xml.bz2")));
  options_.dump_date = "20260701";
  EXPECT_THAT(fetch().files.size(), 2U);
}

TEST_F(WikiTest, AnExportIsTakenWhereItIsNewerAndWhole) {
  const auto put_export = [this](const std::string& date, const std::vector<std::string>& ranges) {
    const std::string folder = "other/mediawiki_content_current/xxwiki/" + date + "/xml/bzip2/";
    std::string sums;
    for (const std::string& range : ranges) {
      const std::string name = "xxwiki-" + date + "-" + range + ".xml.bz2";
      put(folder + name);
      sums += digest_of(DigestKind::kSha256, bytes_of(name)) + "  " + name + "\n";
    }
    folder_.write("files/" + folder + "SHA256SUMS", sums);
    folder_.write("files/" + folder + "_SUCCESS", "");
  };
  put_dump("20260701", "articlesdump", "done", {kName + ".xml.bz2"});
  put_export("2026-07-01", {"p1p400"});
  put_export("2026-08-01", {"p1p400", "p402p900"});
  serve();
  EXPECT_THAT(fetch().files, ElementsAre(at(kName + ".xml.bz2")))
      << "of the same date, the dump: it has articles alone";
  EXPECT_THAT(progress_.notes, HasSubstr("does not begin where xxwiki-2026-08-01-p1p400.xml.bz2 ends"));
  EXPECT_THAT(progress_.notes, HasSubstr("the export of xxwiki of 2026-08-01 is not complete yet; the one before"));
  put_export("2026-08-01", {"p1p400", "p401p900"});
  fs::remove_all(folder_ / "dl");
  EXPECT_THAT(fetch().files,
              ElementsAre(at("xxwiki-2026-08-01-p1p400.xml.bz2"), at("xxwiki-2026-08-01-p401p900.xml.bz2")));
}

TEST_F(WikiTest, AVanishedDateNamesThoseThatExist) {
  put_dump("20260701", "articlesdump", "done", {kName + ".xml.bz2"});
  put_dump("20260601", "articlesdump", "done", {});
  serve();
  options_.dump_date = "20200101";
  EXPECT_THAT(error_of<IoError>([this] { fetch(); }), HasSubstr("20260701, 20260601"));
  options_.dump_date = "yesterday";
  EXPECT_THROW(fetch(), ConfigError);
}

TEST_F(WikiTest, Describes) {
  put_dump("20260701", "articlesdump", "done", {kName + ".xml.bz2"});
  serve();
  const DatasetFacts facts = describe_dataset("wikicorpus_xx", options_, progress_);
  EXPECT_EQ(facts.download_bytes, bytes_of(kName + ".xml.bz2").size());
  EXPECT_THAT(facts.title, HasSubstr("20260701"));
  EXPECT_FALSE(fs::exists(folder_ / "dl"));
}

}  // namespace
}  // namespace bertprep::test
