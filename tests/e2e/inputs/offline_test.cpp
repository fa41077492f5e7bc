// What a run fetches by itself: the vocabulary and the Punkt parameters; and with --offline, nothing.
#include "e2e/e2e_test.h"
#include "support/server_process.h"
#include "support/small_punkt.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

class OfflineTest : public E2eTest {
 protected:
  void SetUp() override {
    if (!Nginx::is_installed()) GTEST_SKIP() << "skipped: nginx is not installed (scripts/install-deps.sh --tests)";
    fs::create_directories(folder() / "files/data");
    fs::copy_file(vocab(), folder() / "files/data/v.txt");
    zip_punkt(folder() / "files/data/punkt_tab.zip");
    folder().write("files/data/text.txt",
                   "The first article. It has two sentences.\nThe second. Two more.\n"
                   "The third. It ends here.\nThe fourth. It ends, too.\n");
    folder().write("c.json", R"({"datasets": [{"name": "mine", "format": "articles",
        "files": [{"url": "http://data.invalid/data/text.txt"}]}],
        "vocabularies": [{"name": "bert-large-uncased", "mirrors": ["http://data.invalid/data/v.txt"]}],
        "punkt": {"name": "punkt_tab.zip", "url": "http://data.invalid/data/punkt_tab.zip"}})");
  }

  static void zip_punkt(const fs::path& zip) {
    const SmallPunkt punkt;
    const Finished made = run_program({"/usr/bin/python3", "-c",
                                       "import pathlib,sys,zipfile\n"
                                       "z=zipfile.ZipFile(sys.argv[1],'w')\n"
                                       "for p in pathlib.Path(sys.argv[2]).iterdir(): "
                                       "z.write(p,'punkt_tab/english/'+p.name)\n"
                                       "z.close()",
                                       zip, punkt.folder()});
    ASSERT_EQ(made.exit_status, 0) << made.err;
  }
  void serve() { nginx_ = std::make_unique<Nginx>(folder() / "files", folder() / "nginx"); }
  // A user who has no vocabularies.
  RunOptions bare() const {
    return {.environment = {{"HOME", path("home")}, {"XDG_DATA_HOME", ""}, {"BERTPREP_VOCAB_DIR", ""}}};
  }
  Arguments command(const Arguments& what) const {
    return what + Arguments{"--train-shards", "1",  "--test-shards", "1",  "--phase",   "1", "--catalog",
                            path("c.json"),   "-w", path("work"),    "-o", path("root")};
  }
  Arguments mirror() const { return {"--mirror", nginx_->url()}; }

  const std::vector<std::string> both_ways_{"not on this machine", "'bertprep vocab fetch bert-large-uncased'",
                                            "'bertprep fetch punkt --folder ", "--vocab FILE", "--punkt DIR"};
  std::unique_ptr<Nginx> nginx_;
};

TEST_F(OfflineTest, ARunOfFilesFetchesTheModelsThatItNames) {
  serve();
  const Arguments run = command({"run", "--input", sample("sample.wikitext"), "--name", "s"});
  succeed(run + mirror(), bare());
  EXPECT_EQ(read_bytes(path("work/download/vocab/bert-large-uncased.txt")), read_bytes(vocab()));
  EXPECT_TRUE(fs::exists(path("work/download/punkt/english/abbrev_types.txt")));
  nginx_.reset();
  EXPECT_THAT(succeed(run + Arguments{"--offline"}, bare()).err, HasSubstr("nothing to do"));
}

TEST_F(OfflineTest, TheStageFetchAndAPlanFetchThemToo) {
  serve();
  const Arguments input = {"--input", sample("sample.wikitext"), "--name", "s"};
  succeed(command(Arguments{"run", "--stage", "fetch"} + input) + mirror(), bare());
  EXPECT_TRUE(fs::exists(path("work/download/punkt/english/abbrev_types.txt")));
  fs::remove_all(path("work"));
  succeed(command(Arguments{"plan"} + input) + mirror(), bare());
  EXPECT_TRUE(fs::exists(path("work/download/vocab/bert-large-uncased.txt")));
}

TEST_F(OfflineTest, OneErrorSaysHowToGetAllThatIsMissing) {
  const Arguments input = {"--input", sample("sample.wikitext"), "--offline"};
  for (const Arguments& first : {Arguments{"run"}, {"run", "--dry-run"}, {"run", "--stage", "fetch"}, {"plan"}}) {
    const Finished refused = fail(1, command(first + input), both_ways_, bare());
    EXPECT_THAT(refused.err, Not(HasSubstr("--from-file")));
  }
  const Finished refused = fail(1, command({"run", "mine", "--offline"}), both_ways_, bare());
  EXPECT_THAT(refused.err, HasSubstr("'bertprep fetch mine --folder " + path("work/download") + "'"));
  EXPECT_THAT(refused.err, HasSubstr("--from-file PATH"));
  EXPECT_FALSE(fs::exists(folder() / "work"));
  EXPECT_FALSE(fs::exists(folder() / "root"));
}

TEST_F(OfflineTest, WithoutThatFlagTheErrorNamesTheOptionForACopy) {
  const Arguments run = command({"run", "--input", sample("sample.wikitext"), "--retries", "0"});
  const Finished failed = bertprep(run, bare());
  EXPECT_EQ(failed.exit_status, 75);
  EXPECT_THAT(failed.err, HasSubstr("error: the vocabulary bert-large-uncased could not be fetched; "));
  EXPECT_THAT(failed.err, HasSubstr("a copy with --vocab FILE"));
  EXPECT_THAT(failed.err, Not(HasSubstr("--from-file")));
}

TEST_F(OfflineTest, ADryRunFetchesNothing) {
  serve();
  const Arguments run = command({"run", "--input", sample("sample.wikitext"), "--dry-run"});
  EXPECT_THAT(succeed(run + mirror(), bare()).err, HasSubstr("download  the vocabulary bert-large-uncased\n"));
  EXPECT_FALSE(fs::exists(folder() / "work"));
  EXPECT_EQ(nginx_->requests(), "");
}

TEST_F(OfflineTest, FromFileIsForTheDatasetAlone) {
  const SmallPunkt punkt;
  const Arguments run = command({"run", "mine", "--from-file", path("files/data"), "--offline"});
  const Finished refused = fail(1, run, both_ways_, bare());
  EXPECT_THAT(refused.err, Not(HasSubstr("dataset mine")));
  succeed(run + Arguments{"--vocab", vocab(), "--punkt", punkt.folder()}, bare());
  fail(2, command({"run", "--input", sample("sample.wikitext"), "--from-file", path("files")}), {"--from-file"});
}

TEST_F(OfflineTest, MirrorsThatAreFilesNeedNoNetwork) {
  succeed(command({"run", "mine", "--offline", "--mirror", "file://" + path("files")}), bare());
  EXPECT_TRUE(fs::exists(path("work/download/mine/text.txt")));
}

TEST_F(OfflineTest, TextShardsNeedNoPunktParameters) {
  const Arguments run = Arguments{"run", "--offline", "--vocab", vocab(), "--input"} + make_text_shards();
  succeed(command(run), bare());
  EXPECT_TRUE(fs::exists(path("work/formatted_one_article_per_line/text_one_sentence_per_line.txt.zst")));
}

}  // namespace
}  // namespace bertprep::test
