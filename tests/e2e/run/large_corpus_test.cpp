// A corpus many times larger than the memory that the system allows.
#include <fstream>

#include "e2e/e2e_test.h"
#include "support/sanitized.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kCorpusBytes = 2'000'000'000;
constexpr const char* kDataLimitKibibytes = "307200";

class LargeCorpusTest : public E2eTest {
 protected:
  void SetUp() override {
    if (kSanitized) GTEST_SKIP() << "skipped: a sanitizer changes what memory is needed";
    if (fs::space(folder().path()).available < 3 * kCorpusBytes) GTEST_SKIP() << "skipped: needs 6 GB of disk";
  }

  // Articles of very different lengths, each with its own number.
  std::uint64_t write_articles(const fs::path& path) {
    std::ofstream file(path);
    std::uint64_t articles = 0;
    std::string article;
    for (std::uint64_t bytes = 0; bytes < kCorpusBytes; ++articles) {
      article = "Article " + std::to_string(articles) + " is here.";
      const std::uint64_t sentences = articles * 7919 % 997 + articles * 31 % 7 * 40;
      for (std::uint64_t i = 0; i < sentences; ++i)
        article += " It rains in the north, and the river rises by the hour.";
      article += '\n';
      file << article;
      bytes += article.size();
    }
    return articles;
  }
};

TEST_F(LargeCorpusTest, IsShardedWithinALimitThatTheSystemEnforces) {
  const std::uint64_t articles = write_articles(path("large.txt"));
  const Finished finished =
      run_program({"/bin/sh", "-c",
                   std::string("ulimit -d ") + kDataLimitKibibytes + " && exec \"$0\" shard " + path("large.txt") +
                       " --name large --sentences icu --train-shards 200 --test-shards 50 -q -o " + path("shards"),
                   BERTPREP_PROGRAM});
  EXPECT_EQ(finished.exit_status, 0) << finished.err;
  EXPECT_LT(finished.peak_memory_bytes, std::uint64_t{300} << 20U);
  EXPECT_GT(articles, 50'000U);
  std::uint64_t bytes = 0;
  for (const auto& shard : fs::directory_iterator(folder() / "shards")) bytes += shard.file_size();
  EXPECT_GE(bytes, kCorpusBytes);
}

}  // namespace
}  // namespace bertprep::test
