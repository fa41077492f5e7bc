// Files in formats of all kinds: what can be read is, and the rest is named.
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

TEST_F(InputFormatTest, OtherFormatsAreNamed) {
  refuse("a.json", "{\n  \"text\": \"It rains.\"\n}\n", {"a.json", "an object that goes over several lines", "jq -c"});
  refuse("a.csv", "id,text\n1,It rains.\n2,It snows.\n",
         {"a.csv", "this is CSV with the columns id, text", "JSON Lines"});
  refuse("a.tsv", "id\ttext\n1\tIt rains.\n", {"a.tsv", "this is TSV", "JSON Lines"});
  refuse("feed.xml", "<?xml version=\"1.0\"?>\n<feed>\n", {"feed.xml", "this is XML with the root <feed>"});
}

TEST_F(InputFormatTest, APageInPlaceOfTheTextIsNamedInEveryFormat) {
  for (const char* format : {"auto", "articles", "sentences", "jsonl", "wikitext", "wikiextractor"}) {
    refuse("page.html", "<!DOCTYPE html>\n<html>\n<body>Not found\n",
           {"page.html: this is HTML: a page was saved instead"}, {"--format", format});
  }
  refuse("page.xml", "<mediawiki>\n", {"this is a dump of a wiki", "--format mediawiki"}, {"--format", "jsonl"});
}

TEST_F(InputFormatTest, AnArticleAboutHtmlIsAnArticle) {
  const std::string file = folder().write("code.txt", "<html><body>It rains.</body></html>\n<p>It snows.</p>\n");
  succeed({"format", file, "--format", "articles", "-o", path("out/code.txt")});
  EXPECT_EQ(read_text(path("out/code.txt")), "<html><body>It rains.</body></html>\n<p>It snows.</p>\n");
}

TEST_F(InputFormatTest, AnEmptyFileIsNamedInEveryFormat) {
  for (const char* format : {"auto", "articles", "sentences", "jsonl", "wikitext", "wikiextractor"}) {
    refuse("empty", "", {"empty: it is empty (0 bytes)", "get the file again"}, {"--format", format});
  }
}

}  // namespace
}  // namespace bertprep::test
