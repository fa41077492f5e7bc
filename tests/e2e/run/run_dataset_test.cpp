// `run DATASET`: fetched, read, and made into shards by one command.
#include "e2e/e2e_test.h"
#include "support/read_text.h"
#include "support/server_process.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

class RunDatasetTest : public E2eTest {
 protected:
  void SetUp() override {
    if (!Nginx::is_installed()) GTEST_SKIP() << "skipped: nginx is not installed (scripts/install-deps.sh --tests)";
  }

  void serve() { nginx_ = std::make_unique<Nginx>(folder() / "files", folder() / "nginx"); }

  Arguments run(const std::string& dataset) {
    return {"run",    dataset,          "--catalog", path("c.json"),  "--mirror", nginx_->url(), "--vocab",
            vocab(),  "--train-shards", "2",         "--test-shards", "1",        "--phase",     "1",
            "--work", path("work"),     "-o",        path("root")};
  }

  std::unique_ptr<Nginx> nginx_;
};

// Two corpora of different formats, one after the other: books, then a wiki.
TEST_F(RunDatasetTest, JoinsItsPartsInTheirOrder) {
  std::string books;
  for (const auto& book : fs::directory_iterator(source_folder() / "samples/books")) {
    const std::string name = book.path().filename();
    folder().write("files/books/" + name, read_bytes(book.path()));
    books += (books.empty() ? "" : ", ") + std::string(R"({"url": "http://data.invalid/books/)") + name + "\"}";
  }
  folder().write("files/wiki/pages.xml", read_bytes(source_folder() / "samples/sample_wiki.xml"));
  folder().write("c.json", R"({"datasets": [
      {"name": "novels", "format": "books", "files": [)" +
                               books + R"(]},
      {"name": "pages", "format": "mediawiki", "files": [{"url": "http://data.invalid/wiki/pages.xml"}]},
      {"name": "both", "parts": ["novels", "pages"]}]})");
  serve();

  const Arguments command = run("both") + Arguments{"--sentences", "icu"};
  const Finished first = succeed(command);
  EXPECT_THAT(first.err, HasSubstr("/both\n"));
  EXPECT_TRUE(fs::exists(phase1().parent_path() / "both/both_training_1.hdf5"));

  std::string expected;
  for (const auto& [input, format] : {std::pair{"novels", "books"}, {"pages", "mediawiki"}}) {
    const std::string file = path(std::string(input) + ".txt");
    std::vector<fs::path> inputs;
    for (const auto& entry : fs::directory_iterator(folder() / "work/download" / input)) {
      if (entry.path().filename().string().front() != '.') inputs.push_back(entry.path());
    }
    // The catalogue's order is that of its list; a folder's order differs.
    Arguments format_command = {"format", "--format", format, "-o", file, "-q"};
    if (std::string(input) == "novels") {
      inputs.clear();
      for (const auto& book : fs::directory_iterator(source_folder() / "samples/books")) {
        inputs.push_back(folder() / "work/download/novels" / book.path().filename());
      }
    }
    for (const fs::path& one : inputs) format_command.push_back(one);
    succeed(format_command);
    expected += read_bytes(file);
  }
  EXPECT_TRUE(read_text(path("work/formatted_one_article_per_line/both_one_article_per_line.txt.zst")) == expected);
  EXPECT_TRUE(
      fs::exists(path("work/formatted_one_article_per_line/both_one_article_per_line.txt.zst.origins.jsonl.zst")));

  nginx_.reset();
  Arguments offline = command;
  offline.erase(offline.begin() + 4, offline.begin() + 6);
  EXPECT_THAT(succeed(offline).err, HasSubstr("nothing to do"));
}

TEST_F(RunDatasetTest, KeepsRequestedIntermediateFiles) {
  folder().write("files/wiki/pages.xml", read_bytes(source_folder() / "samples/sample_wiki.xml"));
  folder().write("c.json", R"({"datasets": [
      {"name": "pages", "format": "mediawiki", "files": [{"url": "http://data.invalid/wiki/pages.xml"}]}]})");
  serve();
  const Arguments command = run("pages") + Arguments{"--sentences", "icu"};
  succeed(command + Arguments{"--keep", "extracted"});
  EXPECT_THAT(read_bytes(path("work/extracted/pages/AA/wiki_00")), HasSubstr("<doc id="));
  EXPECT_FALSE(fs::exists(path("work/download/pages/pages.xml")));
  EXPECT_FALSE(fs::exists(path("work/formatted_one_article_per_line/pages_one_article_per_line.txt.zst")));
  EXPECT_FALSE(fs::exists(path("work/sharded_training_shards_2_test_shards_1_fraction_0.1/pages")));
  const std::string shard = read_bytes(phase1().parent_path() / "pages/pages_training_0.hdf5");

  // With another number of shards the text is needed again; with the same, nothing is.
  EXPECT_THAT(succeed(command).err, HasSubstr("nothing to do"));
  EXPECT_EQ(read_bytes(phase1().parent_path() / "pages/pages_training_0.hdf5"), shard);
}

TEST_F(RunDatasetTest, NamesTheNearestDataset) {
  fail(2, {"run", "wikitext2", "-o", path("root")}, {"wikitext2", "wikitext-2"});
}

}  // namespace
}  // namespace bertprep::test
