// Wikimedia's search index as a user gives it: the rows of the same texts as JSON Lines, in one process and in arrays.
#include "e2e/e2e_test.h"
#include "support/read_text.h"

namespace bertprep::test {
namespace {

class CirrusTest : public E2eTest {
 protected:
  // Two files of the index, and the lines with the same articles.
  void SetUp() override {
    std::string lines;
    for (int file = 0; file < 2; ++file) {
      std::string index;
      for (int i = 0; i < 30; ++i) {
        const std::string id = std::to_string(file * 100 + i);
        std::string text;
        for (int j = 0; j < 4; ++j) text += "Page " + id + " has a river and " + std::to_string(j * i) + " hills. ";
        const std::string space = i % 10 == 3 ? "10" : "0";
        index += R"({"index":{"_type":"_doc","_id":")" + id + "\"}}\n" + R"({"namespace":)" + space + R"(,"title":"T)" +
                 id + R"(","version":7)" + id + R"(,"timestamp":"2026-08-01T00:00:00Z","text":")" + text + "\"}\n";
        if (space == "0") lines += R"({"text":")" + text + "\"}\n";
      }
      folder().write("index/xxwiki_content-20260816-0000" + std::to_string(file) + ".json", index);
    }
    folder().write("lines.jsonl", lines);
  }
  Arguments run(const std::string& input, const std::string& root, const Arguments& more = {}) {
    return Arguments{"run",
                     "--input",
                     path(input),
                     "--name",
                     "x",
                     "--vocab",
                     vocab(),
                     "--phase",
                     "1",
                     "--train-shards",
                     "2",
                     "--test-shards",
                     "1",
                     "--sentences",
                     "icu",
                     "-o",
                     path(root),
                     "--work",
                     path(root + "-work")} +
           more;
  }
};

TEST_F(CirrusTest, GivesTheRowsOfJsonLinesAndNamesThePage) {
  succeed({"plan", "--input", path("index"), "--name", "x", "--vocab", vocab(), "--sentences", "icu", "-o",
           path("planned")});
  succeed(run("lines.jsonl", "lines"));
  const Finished made = succeed(run("index", "pages"));
  EXPECT_THAT(made.err, testing::HasSubstr("left out 6 documents: 6 page outside of namespace 0"));
  for (const std::string stage : {"fetch", "format", "place", "shard", "instances", "finish"}) {
    succeed(run("index", "array", {"--stage", stage}));
  }
  const auto phase = [&](const std::string& root) {
    return std::filesystem::directory_iterator(path(root))->path() / "x";
  };
  for (const char* shard : {"x_training_0.hdf5", "x_training_1.hdf5", "x_test_0.hdf5"}) {
    const std::string expected = read_text(phase("lines") / shard);
    EXPECT_EQ(read_text(phase("pages") / shard), expected) << shard;
    EXPECT_EQ(read_text(phase("array") / shard), expected) << shard;
  }
  const Finished explained =
      succeed({"explain", (phase("pages") / "x_training_0.hdf5").string() + ":0", "--work", path("pages-work")});
  EXPECT_THAT(explained.out, testing::HasSubstr("xxwiki_content-20260816-0000"));
}

}  // namespace
}  // namespace bertprep::test
