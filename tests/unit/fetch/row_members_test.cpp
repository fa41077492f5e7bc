// Members of an archive from the rows of Parquet files.
#include <tuple>

#include "bertprep/base/error.h"
#include "fetch/catalogue.h"
#include "support/golden_data.h"
#include "support/parquet_file.h"
#include "unit/fetch/fetch_fixture.h"

namespace bertprep::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

class RowMembersTest : public FetchTest {
 protected:
  // A dataset whose archive is gone; its member has this text, and its rows are in two files.
  void put(const std::string& text, const std::string& archive = "S404/w.zip") {
    folder_.write("files/0.parquet", rows({"", " = T = \n", ""}));
    folder_.write("files/1.parquet", rows({" Text of T .\n", "last"}));
    options_.retries = 0;
    options_.catalog =
        folder_.write("c.json", R"({"datasets": [{"name": "w", "format": "wikitext", "files": [{"url": ")" + server() +
                                    "/" + archive + R"(", "members": [{"path": "w/wiki.train.tokens", "sha256": ")" +
                                    digest_of(DigestKind::kSha256, text) + R"(", "rows": [")" + server() +
                                    R"(/plain/0.parquet", ")" + server() + R"(/plain/1.parquet"]}]}]}]})");
  }
  FetchedPart fetch() { return fetch_dataset("w", folder_ / "dl", options_, progress_).parts.at(0); }
  fs::path member() const { return folder_ / "dl/w/wiki.train.tokens"; }

  static std::string rows(const std::vector<std::optional<std::string>>& values) {
    return parquet_file({{.name = "text", .values = values}}, {values.size()});
  }
};

const std::string kText = " \n = T = \n \n Text of T .\nlast\n";

TEST_F(RowMembersTest, TakeThePlaceOfAnArchiveThatIsGone) {
  put(kText);
  const FetchedPart part = fetch();
  EXPECT_THAT(part.files, ElementsAre(member()));
  EXPECT_THAT(part.downloads, ElementsAre(member()));
  EXPECT_EQ(read_file_of(member()), kText);
  EXPECT_THAT(progress_.notes,
              AllOf(HasSubstr("w.zip could not be fetched: " + server() + "/S404/w.zip: 404 Not Found"),
                    HasSubstr("made from the rows of Parquet files")));
  const std::size_t asked = requests().size();
  EXPECT_THAT(fetch().files, ElementsAre(member()));
  EXPECT_EQ(requests().size(), asked) << "it is there";
}

TEST_F(RowMembersTest, AreLeftAloneWhereTheArchiveIsThere) {
  put(kText, "plain/w.zip");
  make_zip(folder_ / "files/w.zip", {{"w/wiki.train.tokens", kText}});
  EXPECT_THAT(fetch().files, ElementsAre(member()));
  EXPECT_THAT(requests(), testing::SizeIs(1));
}

TEST_F(RowMembersTest, AreRefusedIfTheirTextIsAnother) {
  put(kText + "more\n");
  EXPECT_THAT(
      error_of<FormatError>([this] { fetch(); }),
      AllOf(HasSubstr("the text of its rows is not wiki.train.tokens: it has the sha256 "), HasSubstr("w.zip")));
  EXPECT_FALSE(fs::exists(member()));
}

// The rows as the Hub has them, and the digests of the catalogue.
TEST_F(RowMembersTest, GiveTheMembersOfWikiText) {
  const fs::path corpora = shared_folder() / "corpora/wikitext";
  if (shared_folder().empty()) GTEST_SKIP() << "skipped: no golden data (set BERTPREP_SHARED to its folder)";
  const Catalogue catalogue = load_catalogue({});
  for (const auto& [dataset, number, text] :
       {std::tuple("wikitext-2", 0, "wt2-train.txt"), std::tuple("wikitext-2", 1, "wt2-valid.txt"),
        std::tuple("wikitext-103", 1, "wt103-valid.txt")}) {
    const auto member_number = static_cast<std::size_t>(number);
    const WantedMember& wanted = catalogue.find(dataset)->files.at(0).members.at(member_number);
    std::vector<std::optional<std::string>> lines;
    for (const std::string& line : read_lines(corpora / text)) lines.push_back(line == " " ? "" : line + "\n");
    folder_.write("files/0.parquet", rows(lines));
    options_.retries = 0;
    options_.catalog =
        folder_.write("c.json", R"({"datasets": [{"name": "w", "format": "wikitext", "files": [{"url": ")" + server() +
                                    R"(/S404/w.zip", "members": [{"path": "w/wiki.train.tokens", "rows_sha1": ")" +
                                    wanted.rows_sha1 + R"(", "rows": [")" + server() + R"(/plain/0.parquet"]}]}]}]})");
    fs::remove_all(folder_ / "dl");
    fetch();
    EXPECT_EQ(read_file_of(member()), read_bytes(corpora / text)) << text;
  }
}

TEST_F(RowMembersTest, NeedADigest) {
  options_.catalog = folder_.write("c.json", R"({"datasets": [{"name": "w", "files": [{"url": "http://h/w.zip",
      "members": [{"path": "a", "rows": ["http://h/a.parquet"]}]}]}]})");
  EXPECT_THAT(error_of<FormatError>([this] { fetch(); }), HasSubstr("has 'rows', but no digest that proves them"));
}

}  // namespace
}  // namespace bertprep::test
