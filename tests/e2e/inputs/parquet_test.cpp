// Parquet and Arrow as a user gives them: the same articles and rows as JSON Lines, in one process and in arrays; what
// a row was.
#include "e2e/e2e_test.h"
#include "support/golden_data.h"
#include "support/read_text.h"

namespace bertprep::test {
namespace {

class ParquetTest : public E2eTest {
 protected:
  std::string data(const std::string& name) { return source_folder() / "tests/data/parquet" / name; }
  Arguments run(const std::string& input, const std::string& root, const Arguments& more = {}) {
    return Arguments{"run",
                     "--input",
                     data(input),
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
                     "--max-rejects",
                     "100",
                     "-o",
                     path(root),
                     "--work",
                     path(root + "-work")} +
           more;
  }
};

TEST_F(ParquetTest, GivesTheArticlesOfJsonLines) {
  for (const std::string field : {"text", "title,meta.body"}) {
    succeed(
        {"format", data("rows.jsonl"), "--text-field", field, "--max-rejects", "100", "-o", path("a.txt"), "--force"});
    for (const char* columns : {"duckdb.zstd.v2.parquet", "arrow_js.stream.arrow"}) {
      succeed({"format", data(columns), "--text-field", field, "--max-rejects", "100", "-o", path("b.txt"), "--force"});
      EXPECT_EQ(read_text(path("b.txt")), read_text(path("a.txt"))) << columns;
    }
  }
}

TEST_F(ParquetTest, RunsPlansAndExplainsRows) {
  succeed(run("rows.jsonl", "lines"));
  for (const std::string file : {"arrow_rs.zstd.v2.parquet", "polars.lz4.arrow"}) {
    succeed({"plan", "--input", data(file), "--name", "x", "--vocab", vocab(), "--sentences", "icu", "-o",
             path("planned")});
    succeed(run(file, file));
    for (const std::string stage : {"fetch", "format", "place", "shard", "instances", "finish"}) {
      succeed(run(file, "array-" + file, {"--stage", stage, "--piece-size", "3000"}));
    }
    const auto phase = [&](const std::string& root) {
      return std::filesystem::directory_iterator(path(root))->path() / "x";
    };
    for (const char* shard : {"x_training_0.hdf5", "x_training_1.hdf5", "x_test_0.hdf5"}) {
      const std::string expected = read_text(phase("lines") / shard);
      EXPECT_EQ(read_text(phase(file) / shard), expected) << file << shard;
      EXPECT_EQ(read_text(phase("array-" + file) / shard), expected) << file << shard;
    }
    const Finished explained =
        succeed({"explain", (phase(file) / "x_training_0.hdf5").string() + ":0", "--work", path(file + "-work")});
    EXPECT_THAT(explained.out, testing::HasSubstr(file + ", line "));
  }
}

}  // namespace
}  // namespace bertprep::test
