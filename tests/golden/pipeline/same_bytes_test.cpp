// The same bytes for any number of threads, and no work twice.
#include <gtest/gtest.h>

#include <map>

#include "golden/pipeline/sample_run.h"
#include "io/digest.h"
#include "support/temp_folder.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;

// Every file below `folder`, hidden ones too; but what says where the run was, which differs.
std::map<std::string, std::string> tree_digests(const fs::path& folder) {
  std::map<std::string, std::string> digests;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_directory() || entry.path().filename() == "places.json") continue;
    digests[entry.path().lexically_relative(folder).generic_string()] = sha256_of_file(entry.path());
  }
  return digests;
}

std::map<std::string, fs::file_time_type> tree_times(const fs::path& folder) {
  std::map<std::string, fs::file_time_type> times;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_directory()) times[entry.path().string()] = entry.last_write_time();
  }
  return times;
}

PipelineOptions options_with(std::int64_t threads) {
  PipelineOptions options = sample_runs().front().options;
  options.work.threads = threads;
  return options;
}

TEST(SameBytes, WithAnyNumberOfThreads) {
  const TempFolder one;
  build_sample(options_with(1), one.path());
  const auto expected = tree_digests(one.path());
  EXPECT_TRUE(
      expected.contains("root/hdf5_lower_case_1_seq_len_128_max_pred_20_masked_lm_prob_0.15_random_seed_12345_"
                        "dupe_factor_5/sample/manifest.json"));
  for (const std::int64_t threads : {2, 7}) {
    const TempFolder many;
    build_sample(options_with(threads), many.path());
    EXPECT_EQ(tree_digests(many.path()), expected) << threads;
  }
}

TEST(SameBytes, AndNothingIsMadeTwice) {
  const TempFolder folder;
  const BuildReport first = build_sample(options_with(2), folder.path());
  const auto times = tree_times(folder.path());
  const BuildReport second = build_sample(options_with(1), folder.path());
  ASSERT_EQ(first.stages.size(), second.stages.size());
  for (std::size_t i = 0; i < first.stages.size(); ++i) {
    const StageReport &made = first.stages[i], &found = second.stages[i];
    SCOPED_TRACE(made.stage);
    EXPECT_GT(made.tasks_made, 0U);
    EXPECT_EQ(made.tasks_found, 0U);
    EXPECT_EQ(found.tasks_made, 0U);
    EXPECT_EQ(found.tasks_found, made.tasks_made);
    EXPECT_EQ(found.articles, made.articles);
    EXPECT_EQ(found.sentences, made.sentences);
    EXPECT_EQ(found.tokens, made.tokens);
    EXPECT_EQ(found.rows, made.rows);
  }
  EXPECT_EQ(tree_times(folder.path()), times);
}

TEST(SameBytes, WhereAShardWasLost) {
  const TempFolder folder;
  const BuildReport report = build_sample(options_with(2), folder.path());
  const auto expected = tree_digests(folder.path());
  fs::remove(report.shard_folders.front() / "sample_training_1.hdf5");
  const BuildReport again = build_sample(options_with(2), folder.path());
  EXPECT_EQ(again.stages.back().tasks_made, 1U);
  EXPECT_EQ(tree_digests(folder.path()), expected);
}

}  // namespace
}  // namespace bertprep::test
