// SQLite as a user gives it: the same articles and rows as JSON Lines, in one process and in arrays; what a row was;
// another query is another text; kills.
#include <csignal>

#include "e2e/e2e_test.h"
#include "support/golden_data.h"
#include "support/read_text.h"
#include "support/sqlite_file.h"

namespace bertprep::test {
namespace {

constexpr const char* kQuery = "select id, title, body as text from pages order by id";

class SqliteTest : public E2eTest {
 protected:
  // The same pages in both.
  void SetUp() override {
    std::string lines;
    std::string script = "create table pages (id integer primary key, title text, body text);";
    for (int i = 1; i <= 60; ++i) {
      const std::string id = std::to_string(i);
      std::string text;
      for (int j = 0; j < 4; ++j) text += "Page " + id + " has a river and " + std::to_string(j * i) + " hills. ";
      lines += R"({"id":)" + id + R"(,"title":"T)" + id + R"(","text":")" + text + "\"}\n";
      script += "insert into pages values (" + id + ", 'T" + id + "', '" + text + "');";
    }
    folder().write("lines.jsonl", lines);
    make_sqlite(path("pages.sqlite"), script);
  }
  Arguments run(const std::string& input, const std::string& root, const Arguments& more = {}) {
    const Arguments query = input == "pages.sqlite" ? Arguments{"--query", kQuery} : Arguments{};
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
           query + more;
  }
  std::filesystem::path phase(const std::string& root) {
    return std::filesystem::directory_iterator(path(root))->path() / "x";
  }
  void expect_equal_shards(const std::string& root, const std::string& expected) {
    for (const char* shard : {"x_training_0.hdf5", "x_training_1.hdf5", "x_test_0.hdf5"}) {
      EXPECT_EQ(read_text(phase(root) / shard), read_text(phase(expected) / shard)) << root << " " << shard;
    }
  }
};

TEST_F(SqliteTest, RunsPlansAndExplainsRows) {
  succeed({"plan", "--input", path("pages.sqlite"), "--query", kQuery, "--name", "x", "--vocab", vocab(), "--sentences",
           "icu", "-o", path("planned")});
  succeed(run("lines.jsonl", "lines"));
  succeed(run("pages.sqlite", "rows"));
  for (const std::string stage : {"fetch", "format", "place", "shard", "instances", "finish"}) {
    succeed(run("pages.sqlite", "array", {"--stage", stage}));
  }
  expect_equal_shards("rows", "lines");
  expect_equal_shards("array", "lines");
  const Finished explained =
      succeed({"explain", (phase("rows") / "x_training_0.hdf5").string() + ":0", "--work", path("rows-work")});
  EXPECT_THAT(explained.out, testing::HasSubstr("pages.sqlite, line "));
  EXPECT_THAT(succeed(run("pages.sqlite", "rows")).err, testing::HasSubstr("nothing to do"));
}

TEST_F(SqliteTest, KilledAnywhereTheNextCallFinishes) {
  const auto whole = succeed(run("pages.sqlite", "rows")).duration;
  int killed = 0;
  for (int part = 1; part <= 8; ++part) {
    const RunOptions options{.signal = SIGKILL, .after = whole * part / 9};
    killed += bertprep(run("pages.sqlite", "killed"), options).signal == SIGKILL ? 1 : 0;
  }
  EXPECT_GT(killed, 0);  // a call that resumes may end before
  succeed(run("pages.sqlite", "killed"));
  expect_equal_shards("killed", "rows");
}

TEST_F(SqliteTest, BecomesTokenSequences) {
  const Arguments options = {"--name", "x", "--vocab", vocab(), "--sentences", "icu", "--to", "hdf5", "-o"};
  succeed(Arguments{"sequences", path("lines.jsonl")} + options + Arguments{path("lines")});
  succeed(Arguments{"sequences", path("pages.sqlite"), "--query", kQuery} + options + Arguments{path("rows")});
  EXPECT_EQ(read_text(path("rows/x_training_0.hdf5")), read_text(path("lines/x_training_0.hdf5")));
}

TEST_F(SqliteTest, HasTheQueryInItsRecipe) {
  const Arguments format = {"format", path("pages.sqlite"), "-o", path("a.txt"), "--query"};
  succeed(format + Arguments{kQuery});
  EXPECT_THAT(succeed(format + Arguments{kQuery}).err, testing::HasSubstr("nothing to do"));
  fail(1, format + Arguments{"select body from pages where id > 30 order by id"}, {"--force"});
  fail(2, {"format", path("lines.jsonl"), "-o", path("b.txt"), "--query", kQuery},
       {"--query has no effect for the format jsonl: it is for sqlite"});
  fail(2, {"format", path("pages.sqlite"), "-o", path("b.txt")}, {"with \"pages\"; say which rows", "--query"});
}

}  // namespace
}  // namespace bertprep::test
