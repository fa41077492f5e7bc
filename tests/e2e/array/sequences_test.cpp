// `run --for` and `--to` as array jobs: the sets are those of a run.
#include "e2e/e2e_test.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kTasks = "2";

class ArraySequencesTest : public E2eTest {
 protected:
  Arguments run(const std::string& root, const Arguments& goal, const std::string& keep = "formatted,sharded") {
    return Arguments{"run",
                     "--input",
                     sample("sample.jsonl"),
                     "--name",
                     "s",
                     "--vocab",
                     vocab(),
                     "--sentences",
                     "icu",
                     "-o",
                     path(root),
                     "-w",
                     path(root + "-work"),
                     "--keep",
                     keep,
                     "-j",
                     "1",
                     "-q"} +
           goal;
  }
  void do_stage(const Arguments& command, const std::string& stage) {
    Arguments more{"--stage", stage};
    if (stage == "fetch") more = more + Arguments{"--piece-size", "3000"};
    const bool is_array = stage == "format" || stage == "shard" || stage == "instances";
    for (const std::string task : {"1", "0"}) {
      if (is_array) succeed(command + more + Arguments{"--array-task", task, "--array-count", kTasks});
    }
    if (!is_array) succeed(command + more);
  }
  // Without records.
  FileTree results(const std::string& root) {
    FileTree tree;
    for (auto& [name, bytes] : read_tree(path(root))) {
      if (name.find(".bertprep/") == std::string::npos) tree[name] = bytes;
    }
    return tree;
  }
  void do_all(const Arguments& command) {
    for (const std::string stage : {"fetch", "format", "place", "shard", "instances", "finish"}) {
      do_stage(command, stage);
    }
  }
};

TEST_F(ArraySequencesTest, AreThoseOfARun) {
  const std::vector<Arguments> goals = {{"--for", "modernbert"},
                                        {"--for", "megatron-bert"},
                                        {"--for", "gpt2", "--blocks", "64"},
                                        {"--to", "hdf5", "--max-tokens", "64", "--text", "one-line"}};
  for (std::size_t i = 0; i < goals.size(); ++i) {
    const std::string number = std::to_string(i);
    for (const Arguments& shards : {Arguments(), Arguments{"--train-shards", "3", "--test-shards", "2"}}) {
      const std::string of_shards = number + (shards.empty() ? "-auto" : "-given");
      const Arguments goal = goals[i] + shards;
      succeed(run("whole-" + of_shards, goal));
      for (const std::string keep : {"", "formatted,sharded"}) {
        const std::string root = "array-" + of_shards + (keep.empty() ? "" : "-kept");
        const Arguments command = run(root, goal, keep);
        do_all(command);
        EXPECT_EQ(difference(results("whole-" + of_shards), results(root)), "") << root;
        // A run finds it done, and so does the job.
        succeed(command);
        do_all(command);
        EXPECT_EQ(difference(results("whole-" + of_shards), results(root)), "") << root;
        EXPECT_THAT(succeed({"verify", path(root)}).err, HasSubstr(", sound"));
      }
    }
  }
  expect_nothing_unfinished(folder().path());
}

TEST_F(ArraySequencesTest, LostPartsAreMadeAgainAndOtherSetsRefused) {
  const Arguments goal = {"--for", "modernbert", "--train-shards", "3", "--test-shards", "2"};
  const Arguments command = run("array", goal);
  for (const std::string stage : {"fetch", "format", "place", "shard", "instances"}) do_stage(command, stage);
  fs::remove(path("array/s/train/00001/shard.00000.mds"));
  const Finished early = bertprep(command + Arguments{"--stage", "finish"});
  EXPECT_EQ(early.exit_status, 1);
  EXPECT_THAT(early.err, HasSubstr("1 of 5 parts is missing: s_training_1"));
  const Finished retry = succeed({"retry-list",
                                  "--input",
                                  sample("sample.jsonl"),
                                  "--name",
                                  "s",
                                  "--vocab",
                                  vocab(),
                                  "--sentences",
                                  "icu",
                                  "-o",
                                  path("array"),
                                  "-w",
                                  path("array-work"),
                                  "--for",
                                  "modernbert",
                                  "--train-shards",
                                  "3",
                                  "--test-shards",
                                  "2",
                                  "--stage",
                                  "instances",
                                  "--array-count",
                                  "5"});
  EXPECT_EQ(retry.out, "1\n");
  do_stage(command, "instances");
  do_stage(command, "finish");
  succeed(run("whole", goal));
  EXPECT_EQ(difference(results("whole"), results("array")), "");

  const Arguments other =
      run("array", {"--for", "modernbert", "--max-tokens", "64", "--train-shards", "3", "--test-shards", "2"});
  const Finished refused = bertprep(other + Arguments{"--stage", "fetch"});
  EXPECT_EQ(refused.exit_status, 1);
  EXPECT_THAT(refused.err, HasSubstr("was made with another recipe: max-tokens was"));
  succeed(other + Arguments{"--stage", "fetch", "--force"});
  for (const std::string stage : {"format", "place", "shard", "instances", "finish"}) do_stage(other, stage);
  succeed({"verify", path("array")});
}

}  // namespace
}  // namespace bertprep::test
