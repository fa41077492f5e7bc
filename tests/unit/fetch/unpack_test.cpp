// Whole datasets of a catalogue: downloaded, unpacked, reused.
#include <fstream>

#include "bertprep/base/error.h"
#include "support/run_program.h"
#include "unit/fetch/fetch_fixture.h"

namespace bertprep::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
namespace fs = std::filesystem;

class UnpackTest : public FetchTest {
 protected:
  UnpackTest() {
    make_zip(folder_ / "files/a.zip", {{"d/one.txt", "one\n"}, {"d/two.txt", "two\n"}, {"junk", "x"}});
    describe(R"("members": ["d/two.txt", {"path": "d/one.txt", "name": "first.txt"}])");
    options_.retries = 1;
  }
  void describe(const std::string& fields, const std::string& file = "a.zip") {
    options_.catalog =
        folder_.write("c.json", R"({"datasets": [{"name": "mine", "format": "articles", "files": [{"url": ")" +
                                    server() + "/plain/" + file + "\", " + fields + "}]}]}");
  }
  FetchedDataset fetch() { return fetch_dataset("mine", folder_ / "dl", options_, progress_); }
};

TEST_F(UnpackTest, MembersInTheOrderOfTheCatalogue) {
  const FetchedDataset dataset = fetch();
  EXPECT_EQ(dataset.name, "mine");
  ASSERT_THAT(dataset.parts, SizeIs(1));
  EXPECT_EQ(dataset.parts[0].format, "articles");
  EXPECT_THAT(dataset.parts[0].files, ElementsAre(folder_ / "dl/mine/two.txt", folder_ / "dl/mine/first.txt"));
  EXPECT_EQ(read_file_of(folder_ / "dl/mine/two.txt"), "two\n");
  EXPECT_EQ(read_file_of(folder_ / "dl/mine/first.txt"), "one\n");
  EXPECT_FALSE(fs::exists(folder_ / "dl/mine/junk"));
}

TEST_F(UnpackTest, ExistingFilesNeedNoServer) {
  fetch();
  const auto time = fs::last_write_time(folder_ / "dl/mine/two.txt");
  fs::remove(folder_ / "dl/mine/a.zip");
  fetch();
  EXPECT_THAT(requests(), SizeIs(1));
  EXPECT_EQ(fs::last_write_time(folder_ / "dl/mine/two.txt"), time);
}

TEST_F(UnpackTest, ChangedResultsAreRemade) {
  fetch();
  std::ofstream(folder_ / "dl/mine/two.txt") << "spoilt";
  fetch();
  EXPECT_EQ(read_file_of(folder_ / "dl/mine/two.txt"), "two\n");
  EXPECT_THAT(requests(), SizeIs(1));
  std::ofstream(folder_ / "dl/mine/two.txt") << "spoilt";
  std::ofstream(folder_ / "dl/mine/a.zip") << "spoilt";
  describe(R"("sha256": ")" + digest_of(DigestKind::kSha256, read_file_of(folder_ / "files/a.zip")) +
           R"(", "members": ["d/two.txt"])");
  fetch();
  EXPECT_EQ(read_file_of(folder_ / "dl/mine/two.txt"), "two\n");
  EXPECT_THAT(progress_.notes, HasSubstr("downloaded again"));
}

TEST_F(UnpackTest, AMissingOrWrongMemberIsAnError) {
  describe(R"("members": ["d/three.txt"])");
  EXPECT_THAT(error_of<FormatError>([this] { fetch(); }), HasSubstr("has no member 'd/three.txt'"));
  describe(R"("members": [{"path": "d/two.txt", "size": 5}])");
  EXPECT_THAT(error_of<FormatError>([this] { fetch(); }), HasSubstr("d/two.txt has 4 bytes instead of 5"));
  EXPECT_FALSE(fs::exists(folder_ / "dl/mine/two.txt"));
}

TEST_F(UnpackTest, ADamagedArchiveIsAnError) {
  std::string zip = read_file_of(folder_ / "files/a.zip");
  folder_.write("files/b.zip", zip.substr(0, zip.size() / 2));
  describe(R"("members": ["d/two.txt"])", "b.zip");
  error_of<FormatError>([this] { fetch(); });
  make_zip(folder_ / "files/c.zip", {{"d/two.txt", test_bytes(5000)}});
  zip = read_file_of(folder_ / "files/c.zip");
  zip[2000] = static_cast<char>(zip[2000] ^ 1);
  folder_.write("files/c.zip", zip);
  describe(R"("members": ["d/two.txt"])", "c.zip");
  EXPECT_THAT(error_of<FormatError>([this] { fetch(); }), HasSubstr("c.zip:d/two.txt"));
  EXPECT_FALSE(fs::exists(folder_ / "dl/mine/two.txt"));
}

TEST_F(UnpackTest, APatternFillsAFolderEvenFromATarInAZip) {
  folder_.write("tar/1/pg1.txt", "book one\n");
  folder_.write("tar/2/pg2.txt", "book two\n");
  folder_.write("tar/2/pg2.rdf", "no book\n");
  ASSERT_EQ(run_program({"/bin/tar", "-C", folder_ / "tar", "-cf", folder_ / "all.tar", "."}).exit_status, 0);
  make_zip(folder_ / "files/texts.tar.zip", {{"texts.tar", read_file_of(folder_ / "all.tar")}});
  describe(R"("members": ["*.txt"])", "texts.tar.zip");
  for (int i = 0; i < 2; ++i) {
    const FetchedDataset dataset = fetch();
    EXPECT_THAT(dataset.parts[0].files, ElementsAre(folder_ / "dl/mine/texts"));
  }
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "dl/mine/texts")) {
    if (entry.is_regular_file()) ++files;
  }
  EXPECT_EQ(files, 2U);
  EXPECT_THAT(requests(), SizeIs(1));
}

TEST_F(UnpackTest, TextWithoutBoundariesGetsSome) {
  make_zip(folder_ / "files/a.zip", {{"s.txt", "a\nb\nc\nd\ne\n"}});
  describe(R"("article_lines": 2, "members": ["s.txt"])");
  fetch();
  EXPECT_EQ(read_file_of(folder_ / "dl/mine/s.txt"), "a\nb\n\nc\nd\n\ne\n");
}

TEST_F(UnpackTest, SeveralPlainFiles) {
  folder_.write("files/x.txt", "x\n");
  folder_.write("files/y.txt", "y\n");
  options_.catalog = folder_.write("c.json", R"({"datasets": [{"name": "mine", "files": [{"url": ")" + server() +
                                                 R"(/plain/x.txt"}, {"url": ")" + server() + R"(/plain/y.txt"}]}]})");
  const FetchedDataset dataset = fetch();
  EXPECT_THAT(dataset.parts[0].files, ElementsAre(folder_ / "dl/mine/x.txt", folder_ / "dl/mine/y.txt"));
  Progress quiet;
  EXPECT_EQ(describe_dataset("mine", options_, quiet).download_bytes, 4U);
}

TEST_F(UnpackTest, VocabulariesFromAFileOrAnArchive) {
  const std::string vocab = "[PAD]\n[UNK]\n";
  make_zip(folder_ / "files/bert.zip", {{"bert/vocab.txt", vocab}, {"bert/model", "x"}});
  options_.catalog =
      folder_.write("c.json", R"({"vocabularies": [{"name": "v", "sha256": ")" + digest_of(DigestKind::kSha256, vocab) +
                                  R"(", "mirrors": [")" + server() + R"(/S404/v.txt", {"url": ")" + server() +
                                  R"(/plain/bert.zip", "member": "bert/vocab.txt"}]}]})");
  EXPECT_EQ(fetch_vocab("v", folder_ / "w", options_, progress_), folder_ / "w/vocab/v.txt");
  EXPECT_EQ(read_file_of(folder_ / "w/vocab/v.txt"), vocab);
  EXPECT_THAT(progress_.notes, HasSubstr("404 Not Found; trying " + server() + "/plain/bert.zip next\n"));
  const std::size_t before = requests().size();
  fetch_vocab("v", folder_ / "w", options_, progress_);
  EXPECT_EQ(requests().size(), before);
  fs::remove(folder_ / "w/vocab/v.txt");
  options_.from_file = folder_ / "files/bert.zip";
  fetch_vocab("v", folder_ / "w", options_, progress_);
  EXPECT_EQ(read_file_of(folder_ / "w/vocab/v.txt"), vocab);
  options_.from_file = folder_.write("other.txt", "[PAD]\n");
  EXPECT_THROW(fetch_vocab("v", folder_ / "w2", options_, progress_), FormatError);
  EXPECT_EQ(requests().size(), before);
}

TEST_F(UnpackTest, PunktParameters) {
  std::vector<std::pair<std::string, std::string>> members;
  for (const char* file : {"abbrev_types.txt", "collocations.tab", "sent_starters.txt", "ortho_context.tab"}) {
    members.emplace_back("punkt_tab/english/" + std::string(file), file);
    members.emplace_back("punkt_tab/german/" + std::string(file), "de");
  }
  make_zip(folder_ / "files/punkt_tab.zip", members);
  options_.mirror = server() + "/plain";
  EXPECT_EQ(fetch_punkt("english", folder_ / "w", options_, progress_), folder_ / "w/punkt/english");
  EXPECT_EQ(read_file_of(folder_ / "w/punkt/english/ortho_context.tab"), "ortho_context.tab");
  fetch_punkt("german", folder_ / "w", options_, progress_);
  EXPECT_EQ(read_file_of(folder_ / "w/punkt/german/collocations.tab"), "de");
  const std::string error =
      error_of<ConfigError>([this] { fetch_punkt("klingon", folder_ / "w", options_, progress_); });
  EXPECT_THAT(error, HasSubstr("english, german"));
  options_.from_file = folder_ / "w/punkt/english";
  fetch_punkt("english", folder_ / "w2", options_, progress_);
  EXPECT_EQ(read_file_of(folder_ / "w2/punkt/english/ortho_context.tab"), "ortho_context.tab");
}

}  // namespace
}  // namespace bertprep::test
