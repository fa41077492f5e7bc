// Files in formats of all kinds: readable ones are read, others are named.
#include <sys/stat.h>

#include <cstdlib>

#include "e2e/e2e_test.h"
#include "support/read_text.h"

namespace bertprep::test {
namespace {

class InputFormatTest : public E2eTest {
 protected:
  std::string format(const std::string& name, const std::string& bytes) {
    succeed({"format", folder().write(name, bytes), "-o", path("out/" + name), "--force"});
    return read_text(path("out/" + name));
  }
  void refuse(const std::string& name, const std::string& bytes, const std::vector<std::string>& words,
              const Arguments& more = {}) {
    fail(1, Arguments{"format", folder().write(name, bytes), "-o", path("out/" + name)} + more, words);
  }
};

TEST_F(InputFormatTest, AnArrayGivesTheArticlesOfJsonLines) {
  const std::string lines = format("a.jsonl", "{\"text\":\"It rains.\"}\n{\"text\":\"It snows.\"}\n");
  EXPECT_EQ(lines, "It rains.\nIt snows.\n");
  EXPECT_EQ(format("a.json", "[{\"text\":\"It rains.\"}, {\"text\":\"It snows.\"}]"), lines);
  EXPECT_EQ(format("b.json", "[\n  {\n    \"text\": \"It rains.\"\n  },\n  {\n    \"text\": \"It snows.\"\n  }\n]\n"),
            lines);
}

TEST_F(InputFormatTest, ATableGivesTheArticlesOfJsonLines) {
  const std::string lines = format("t.jsonl", "{\"text\":\"It rains, he said.\"}\n{\"text\":\"It snows.\"}\n");
  EXPECT_EQ(format("t.csv", "id,text\r\n1,\"It rains, he said.\"\r\n2,It snows.\r\n"), lines);
  EXPECT_EQ(format("t.tsv", "id\ttext\n1\tIt rains, he said.\n2\tIt snows.\n"), lines);
  succeed({"format", path("t.csv"), "--format", "csv", "--text-field", "id,text", "-o", path("out/joined.txt")});
  EXPECT_EQ(read_text(path("out/joined.txt")), "1 \x1E It rains, he said.\n2 \x1E It snows.\n");
}

TEST_F(InputFormatTest, TheFieldsSeenAreNamedWhereNoneIsTheText) {
  refuse(
      "a.jsonl", "{\"body\":\"It rains.\"}\n",
      {"no article was found, every record was rejected: no field \"text\": the record has \"body\"", "--text-field"});
}

TEST_F(InputFormatTest, HtmlIsRefusedOrReadAsText) {
  const std::string page = "{\"text\":\"<p>It <b>rains</b>.</p>\"}\n";
  refuse("a.jsonl", page, {"a.jsonl:1: the text is HTML", "--html text"});
  succeed({"format", path("a.jsonl"), "--html", "text", "-o", path("out/shown.txt")});
  EXPECT_EQ(read_text(path("out/shown.txt")), "It rains.\n");
  fail(2, {"format", folder().write("a.txt", "It rains.\n"), "--html", "text", "-o", path("out/b.txt")},
       {"--html has no effect for the format"});
}

TEST_F(InputFormatTest, OtherFormatsAreNamed) {
  refuse("a.json", "{\n  \"text\": \"It rains.\"\n}\n", {"a.json", "an object that spans several lines", "jq -c"});
  refuse("a.csv", "id,body\n1,It rains.\n2,It snows.\n",
         {"a.csv: no column \"text\": the header has \"id\", \"body\"", "--text-field"});
  refuse("a.tsv", "1\tIt rains.\n2\tIt snows.\n", {"a.tsv", "this is TSV whose columns have no names"});
  refuse("a.docx", "PK\x03\x04", {"a.docx: this is a document of Word", "pandoc"});
  refuse("feed.xml", "<?xml version=\"1.0\"?>\n<feed>\n", {"feed.xml", "this is XML: its root is <feed>"});
}

TEST_F(InputFormatTest, APageInPlaceOfTheTextIsNamedInEveryFormat) {
  for (const char* format : {"auto", "articles", "sentences", "jsonl", "csv", "tsv", "wikitext", "wikiextractor"}) {
    refuse("page.html", "<!DOCTYPE html>\n<html>\n<body>Not found\n",
           {"page.html: this is HTML: a page was saved instead"}, {"--format", format});
  }
  refuse("page.xml", "<mediawiki>\n", {"this is a dump of a wiki", "--format mediawiki"}, {"--format", "jsonl"});
}

TEST_F(InputFormatTest, APageInPlaceOfADumpIsNamed) {
  const std::string page = folder().write("w.xml", "<!DOCTYPE html><html><head><title>404</title></head></html>\n");
  const std::string feed = folder().write("f.xml", "<?xml version=\"1.0\"?>\n<feed>\n");
  const std::string empty = folder().write("e.xml", "");
  for (const Arguments& command :
       {Arguments{"format", "--format", "mediawiki", "-o", path("out/w")}, Arguments{"extract", "-o", path("out")}}) {
    fail(1, command + Arguments{page}, {"w.xml: this is HTML: a page was saved instead of the dump"});
    fail(1, command + Arguments{feed}, {"f.xml: this is XML: its root is <feed>"});
    fail(1, command + Arguments{empty}, {"e.xml: it is empty (0 bytes)"});
  }
}

TEST_F(InputFormatTest, RemarksAndRejectsAreCountedByReason) {
  for (int i = 0; i < 20; ++i) folder().write("books/" + std::to_string(i) + ".txt", "Caf\xE9 noir, d\xE9j\xE0 vu.\n");
  for (int i = 0; i < 3; ++i) folder().write("books/x" + std::to_string(i) + ".txt", std::string(500, '\0'));
  const Finished finished = succeed({"format", path("books"), "--format", "books", "-o", path("out/b.txt")});
  std::size_t lines = 0;
  for (std::size_t at = 0; (at = finished.err.find("its encoding is guessed", at)) != std::string::npos; ++at) ++lines;
  EXPECT_EQ(lines, 7U) << "five, that the rest is counted, and the count\n" << finished.err;
  EXPECT_THAT(finished.err, testing::HasSubstr("20 in all: its encoding is guessed\n"));
  EXPECT_THAT(finished.err, testing::HasSubstr("3 records were rejected: 3 this is not text\nrejects: " +
                                               path("out/.bertprep/b.txt.rejects.jsonl")));
  const Finished again = succeed({"format", path("books"), "--format", "books", "-o", path("out/b.txt"), "--json"});
  EXPECT_THAT(again.out, testing::HasSubstr("\"rejected\":3,\"rejected_by_reason\":{\"this is not text\":3}"));
}

TEST_F(InputFormatTest, TheManifestListsRejections) {
  const std::string records =
      folder().write("r.jsonl", read_text(sample("sample.jsonl")) + "\n{\"body\": 1}\n[]\n{\"x\": 1}\n");
  const Arguments run = {"run", "--input",       records, "--name",  "s",         "--sentences",
                         "icu", "--vocab",       vocab(), "--phase", "1",         "--train-shards",
                         "2",   "--test-shards", "1",     "-o",      path("root")};
  succeed(run);
  const auto rejected =
      testing::HasSubstr("\"rejected\": {\n    \"no field \\\"text\\\"\": 2,\n    \"not a JSON object\": 1\n  }");
  EXPECT_THAT(read_text(phase1().parent_path() / "s" / "manifest.json"), rejected);
}

TEST_F(InputFormatTest, AFolderReportsSkippedFiles) {
  folder().write("books/a.txt", "It rains.\n");
  folder().write("books/b.md", "It snows.\n");
  std::filesystem::create_symlink("gone", folder() / "books/c.txt");
  const Arguments books = {"format", path("books"), "--format", "books", "-o", path("out/b.txt")};
  const Finished finished = succeed(books);
  EXPECT_THAT(finished.err, testing::HasSubstr(
                                "books/b.md: left out because its name does not end in .txt (--include reads others)"));
  EXPECT_THAT(finished.err, testing::HasSubstr("books/c.txt: left out because it is a broken link"));
  EXPECT_EQ(read_text(path("out/b.txt")), "It rains.\n");
  succeed(books + Arguments{"--include", "*.md,*.txt", "--force"});
  EXPECT_EQ(read_text(path("out/b.txt")), "It rains.\nIt snows.\n");
  succeed(books + Arguments{"--include", "*.md", "--include", "*.txt", "--exclude", "a.*", "--force"});
  EXPECT_EQ(read_text(path("out/b.txt")), "It snows.\n");
  succeed({"vocab", "train", path("books"), "--format", "books", "--vocab-size", "40", "-o", path("v.txt")});
}

TEST_F(InputFormatTest, LinksInArchivesAreReported) {
  folder().write("d/a.txt", "It rains.\n");
  std::filesystem::create_hard_link(folder() / "d/a.txt", folder() / "d/b.txt");
  std::filesystem::create_symlink("a.txt", folder() / "d/c.txt");
  ASSERT_EQ(std::system(("tar -C " + path("d") + " -cf " + path("d.tar") + " a.txt b.txt c.txt").c_str()), 0);
  const Finished finished = succeed({"format", path("d.tar"), "--format", "books", "-o", path("out/b.txt")});
  EXPECT_EQ(read_text(path("out/b.txt")), "It rains.\n");
  EXPECT_THAT(finished.err,
              testing::HasSubstr("d.tar:b.txt: left out because it is a hard link: its text is that of a.txt"));
  EXPECT_THAT(finished.err, testing::HasSubstr("d.tar:c.txt: left out because it is a symbolic link: to a.txt"));
}

TEST_F(InputFormatTest, APipeIsRefusedAtOnce) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  fail(1, {"format", path("pipe"), "--format", "articles", "-o", path("out/b.txt")},
       {"pipe", "read more than once", "write it to a file"});
  fail(1, {"format", path("pipe"), "-o", path("out/b.txt")}, {"pipe", "read more than once", "write it to a file"});
  fail(1, {"extract", path("pipe"), "-o", path("out")}, {"pipe", "read more than once"});
  fail(1, {"format", "/dev/null", "--format", "articles", "-o", path("out/b.txt")},
       {"/dev/null", "neither a file nor a folder"});
}

TEST_F(InputFormatTest, AnArticleAboutHtmlIsAnArticle) {
  const std::string file = folder().write("code.txt", "<html><body>It rains.</body></html>\n<p>It snows.</p>\n");
  succeed({"format", file, "--format", "articles", "-o", path("out/code.txt")});
  EXPECT_EQ(read_text(path("out/code.txt")), "<html><body>It rains.</body></html>\n<p>It snows.</p>\n");
}

TEST_F(InputFormatTest, AnEmptyFileIsNamedInEveryFormat) {
  for (const char* format : {"auto", "articles", "sentences", "jsonl", "csv", "tsv", "wikitext", "wikiextractor"}) {
    refuse("empty", "", {"empty: it is empty (0 bytes)", "get the file again"}, {"--format", format});
  }
}

}  // namespace
}  // namespace bertprep::test
