// Datasets that are a folder on a server, such as PubMed's baseline.
#include "bertprep/base/error.h"
#include "io/digest.h"
#include "unit/fetch/fetch_fixture.h"

namespace bertprep::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

class ListedFilesTest : public FetchTest {
 protected:
  void SetUp() override {
    if (!Nginx::is_installed()) GTEST_SKIP() << "skipped: nginx is not installed (scripts/install-deps.sh --tests)";
    options_.retries = 0;
    for (const char* name : {"p26n0002.xml.gz", "p26n0001.xml.gz"}) put(name);
    folder_.write("files/base/p26n0001.xml.gz.md5", "MD5(p26n0001.xml.gz)= " + md5_of("p26n0001.xml.gz") + "\n");
    folder_.write("files/base/README.txt", "read me");
    nginx_ = std::make_unique<Nginx>(folder_ / "files", folder_ / "nginx");
    options_.catalog = folder_.write("c.json", R"({"datasets": [{"name": "p", "format": "pubmed", "listing":
        {"mirrors": [")" + nginx_->url() + R"(/base/"], "names": "p*.xml.gz"}}]})");
  }
  static std::string bytes_of(const std::string& name) { return "\x1f\x8b of " + name; }
  static std::string md5_of(const std::string& name) { return digest_of(DigestKind::kMd5, bytes_of(name)); }
  void put(const std::string& name) { folder_.write("files/base/" + name, bytes_of(name)); }
  std::vector<fs::path> fetch() {
    const FetchedDataset dataset = fetch_dataset("p", folder_ / "dl", options_, progress_);
    EXPECT_EQ(dataset.parts.at(0).format, "pubmed");
    return dataset.parts[0].files;
  }
  fs::path at(const std::string& name) const { return folder_ / "dl/p" / name; }

  std::unique_ptr<Nginx> nginx_;
};

TEST_F(ListedFilesTest, AreFoundInTheListingAndKept) {
  EXPECT_THAT(fetch(), ElementsAre(at("p26n0001.xml.gz"), at("p26n0002.xml.gz")));
  EXPECT_EQ(read_file_of(at("p26n0001.xml.gz")), bytes_of("p26n0001.xml.gz"));
  EXPECT_THAT(progress_.notes, HasSubstr("p has 2 files"));
  EXPECT_THAT(nginx_->requests(), testing::Not(HasSubstr("p26n0002.xml.gz.md5"))) << "the listing has none";
  put("p26n0003.xml.gz");
  EXPECT_EQ(fetch().size(), 2U) << "what was found first counts";
}

TEST_F(ListedFilesTest, AreCheckedByTheirDigests) {
  folder_.write("files/base/p26n0001.xml.gz", bytes_of("another"));
  EXPECT_THAT(error_of<Error>([&] { fetch(); }), HasSubstr("md5"));
  EXPECT_FALSE(fs::exists(at("p26n0001.xml.gz")));
}

TEST_F(ListedFilesTest, AServerWithoutTheDigestsItListsIsNoEnd) {
  folder_.write("files/other/p26n0001.xml.gz", bytes_of("p26n0001.xml.gz"));
  folder_.write("files/other/p26n0001.xml.gz.md5", "<html>log in</html>");
  options_.catalog = folder_.write("c.json", R"({"datasets": [{"name": "p", "format": "pubmed", "listing":
      {"mirrors": [")" + nginx_->url() + R"(/other/", ")" +
                                                 nginx_->url() + R"(/base/"], "names": "p*.xml.gz"}}]})");
  EXPECT_THAT(fetch(), ElementsAre(at("p26n0001.xml.gz"), at("p26n0002.xml.gz")));
  EXPECT_THAT(progress_.notes, HasSubstr("p26n0001.xml.gz.md5 gives no MD5"));
}

TEST_F(ListedFilesTest, AreTakenFromAFolderOfTheUser) {
  options_.from_file = folder_ / "files/base";
  EXPECT_THAT(fetch(), ElementsAre(folder_ / "files/base/p26n0001.xml.gz", folder_ / "files/base/p26n0002.xml.gz"));
  options_.from_file = folder_ / "nginx";
  EXPECT_THAT(error_of<IoError>([&] { fetch(); }), HasSubstr("has no p*.xml.gz"));
}

TEST_F(ListedFilesTest, AreAnErrorIfUnlisted) {
  for (const char* name : {"p26n0001.xml.gz", "p26n0002.xml.gz"}) fs::remove(folder_ / "files/base" / name);
  EXPECT_THAT(error_of<IoError>([&] { fetch(); }), HasSubstr("no server lists the files p*.xml.gz"));
}

}  // namespace
}  // namespace bertprep::test
