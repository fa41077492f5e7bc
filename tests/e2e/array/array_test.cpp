// `run --stage`, `retry-list`, `verify --finish` and `instances` as arrays, as an engine starts them.
#include <random>

#include "e2e/e2e_test.h"

namespace bertprep::test {
namespace {

using std::chrono::microseconds;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

class ArrayE2eTest : public E2eTest {
 protected:
  // The sample in files of some articles each, so that it has several pieces.
  std::string corpus(int copies = 1) {
    const std::string once = read_bytes(sample("sample.jsonl"));
    std::string text;
    for (int i = 0; i < copies; ++i) text += once + (once.ends_with("\n") ? "" : "\n");
    return folder().write("corpus.jsonl", text);
  }
  Arguments run(const std::string& root, const std::string& input) {
    return run_on({input}, root, root + "-work", 3, 2) +
           Arguments{"--phase", "1", "--dupe-factor", "2", "-q", "-j", "1"};
  }
  Finished stage(const std::string& root, const std::string& input, const std::string& name, const Arguments& more = {},
                 const RunOptions& options = {}) {
    return bertprep(run(root, input) + Arguments{"--stage", name, "--piece-size", "3000"} + more, options);
  }
  void expect_as_run(const std::string& root, const std::string& input) {
    succeed(run("whole", input));
    const auto results = [&](const std::string& of) {
      FileTree tree;
      for (auto& [name, bytes] : read_tree(path(of))) {
        if (name.find(".bertprep/") == std::string::npos) tree[name] = bytes;
      }
      return tree;
    };
    EXPECT_EQ(difference(results("whole"), results(root)), "");
    expect_nothing_unfinished(folder().path());
  }
};

TEST_F(ArrayE2eTest, StagesOneByOne) {
  const std::string input = corpus();
  const auto done = [&](const std::string& name, const Arguments& more = {}, const RunOptions& options = {}) {
    const Finished finished = stage("array", input, name, more, options);
    EXPECT_EQ(finished.exit_status, 0) << name << ": " << finished.err;
    EXPECT_EQ(finished.err, "");
  };
  done("fetch");
  // By the options, by Slurm's variables and by those of AWS Batch.
  done("format", {"--array-task", "1", "--array-count", "2"});
  done("format", {"--array-task", "0", "--array-count", "2"});
  done("place");
  for (const char* task : {"3", "5", "4"}) {
    done("shard", {},
         {.environment = {{"SLURM_ARRAY_TASK_ID", task},
                          {"SLURM_ARRAY_TASK_COUNT", "3"},
                          {"SLURM_ARRAY_TASK_MIN", "3"},
                          {"SLURM_ARRAY_TASK_MAX", "5"}}});
  }
  for (const char* task : {"0", "1", "2", "3"}) {
    done("instances", {}, {.environment = {{"AWS_BATCH_JOB_ARRAY_INDEX", task}, {"AWS_BATCH_JOB_ARRAY_SIZE", "4"}}});
  }
  done("finish");
  expect_as_run("array", input);
  // Late tasks.
  for (const char* name : {"fetch", "format", "place", "shard", "instances", "finish"}) done(name);
  expect_as_run("array", input);
  succeed({"status", path("array"), "--work", path("array-work")});
}

TEST_F(ArrayE2eTest, WrongShares) {
  const std::string input = corpus();
  ASSERT_EQ(stage("array", input, "fetch").exit_status, 0);
  EXPECT_EQ(stage("array", input, "format", {"--array-task", "3", "--array-count", "3"}).exit_status, 2);
  EXPECT_EQ(stage("array", input, "place", {"--array-task", "0", "--array-count", "3"}).exit_status, 2);
  EXPECT_EQ(stage("array", input, "formatt").exit_status, 2);
  const Finished early = stage("array", input, "finish");
  EXPECT_EQ(early.exit_status, 1);
  EXPECT_THAT(early.err, HasSubstr("5 of 5 parts are missing: sample_training_0"));
  const Finished other = stage("array", input, "format", {"--random-seed", "9"});
  EXPECT_EQ(other.exit_status, 1);
  EXPECT_THAT(other.err, HasSubstr("--stage fetch"));
}

TEST_F(ArrayE2eTest, RetryListNamesUnfinishedTasks) {
  const std::string input = corpus();
  Arguments list = run("array", input);
  list[0] = "retry-list";
  list.resize(list.size() - 3);  // -q -j 1
  list = list + Arguments{"--stage", "instances", "--array-count", "5"};
  EXPECT_EQ(bertprep(list).exit_status, 1) << "there is no job yet";
  for (const char* name : {"fetch", "format", "place", "shard"}) {
    ASSERT_EQ(stage("array", input, name).exit_status, 0) << name;
  }
  ASSERT_EQ(stage("array", input, "instances", {"--array-task", "3", "--array-count", "5"}).exit_status, 0);
  EXPECT_EQ(succeed(list).out, "0-2,4\n");
  const std::string file = folder().write("again.txt", succeed(list + Arguments{"--syntax", "aws-batch"}).out);
  EXPECT_EQ(read_bytes(file), "0\n1\n2\n4\n");
  for (const char* index : {"0", "1", "2", "3", "4"}) {
    const Finished again =
        stage("array", input, "instances", {"--array-list", file, "--array-count", "5"},
              {.environment = {{"AWS_BATCH_JOB_ARRAY_INDEX", index}, {"AWS_BATCH_JOB_ARRAY_SIZE", "5"}}});
    EXPECT_EQ(again.exit_status, 0) << again.err;
  }
  EXPECT_EQ(succeed(list).out, "");
  // The same report on the data as from a run, only once.
  const Finished finished = succeed({"verify", "--finish", path("array")});
  EXPECT_THAT(finished.err, AllOf(HasSubstr("text: "), HasSubstr("\nrows: "), HasSubstr("\ntraining shards: 3, ")));
  EXPECT_THAT(succeed({"verify", "--finish", path("array")}).err, Not(HasSubstr("rows: ")));
  expect_as_run("array", input);
}

TEST_F(ArrayE2eTest, RowsAreExplainedAsThoseOfARun) {
  const std::string input = corpus();
  for (const char* name : {"fetch", "format", "place", "shard", "instances", "finish"}) {
    ASSERT_EQ(stage("array", input, name).exit_status, 0) << name;
  }
  succeed(run("whole", input));
  const auto explained = [&](const std::string& root) {
    const auto folder = std::filesystem::directory_iterator(path(root))->path() / "sample";
    std::string out = succeed({"explain", folder / "sample_training_1.hdf5", "--rows", "0:20", "--work",
                               path(root + "-work"), "--json"})
                          .out;
    for (std::size_t at = out.find(path(root)); at != std::string::npos; at = out.find(path(root), at)) {
      out.replace(at, path(root).size(), "ROOT");
    }
    return out;
  };
  const std::string array = explained("array");
  EXPECT_THAT(array, AllOf(HasSubstr("\"origin\":{"), Not(HasSubstr("not_recorded"))));
  EXPECT_EQ(array, explained("whole"));
}

TEST_F(ArrayE2eTest, ARequestToEndIsFollowedAndResumed) {
  const std::string input = corpus(60);
  ASSERT_EQ(stage("array", input, "fetch").exit_status, 0);
  std::mt19937 random(11);
  int interrupted = 0;
  for (const char* name : {"format", "place", "shard", "instances", "finish"}) {
    for (int attempt = 0; attempt < 3; ++attempt) {
      const auto after = microseconds(5'000 + random() % 60'000);
      const Finished finished = stage("array", input, name, {}, {.signal = SIGTERM, .after = after});
      EXPECT_TRUE(finished.exit_status == 143 || finished.exit_status == 0 || finished.signal == SIGTERM)
          << name << " ended with " << finished.exit_status << ": " << finished.err;
      EXPECT_LT(finished.duration, std::chrono::seconds(10));
      interrupted += finished.exit_status == 143 ? 1 : 0;
    }
    const Finished finished = stage("array", input, name);
    ASSERT_EQ(finished.exit_status, 0) << name << ": " << finished.err;
  }
  EXPECT_GT(interrupted, 0);
  expect_as_run("array", input);
}

TEST_F(ArrayE2eTest, InstancesAsAnArray) {
  const std::vector<std::string> shards = make_text_shards();
  const auto instances = [&](const std::string& folder) {
    return Arguments{"instances"} + shards +
           Arguments{"--vocab", vocab(), "--name", "sample", "-q", "-o", path(folder)};
  };
  succeed(instances("one"));
  succeed(instances("array") + Arguments{"--array-task", "1", "--array-count", "2"});
  const Finished early = bertprep({"verify", "--finish", path("array"), "-q"});
  EXPECT_EQ(early.exit_status, 1);
  EXPECT_THAT(early.err, HasSubstr("2 of 3 shards are missing"));
  succeed(instances("array"), {.environment = {{"AWS_BATCH_JOB_ARRAY_INDEX", "0"}, {"AWS_BATCH_JOB_ARRAY_SIZE", "2"}}});
  succeed({"verify", "--finish", path("array"), "-q"});
  EXPECT_EQ(difference(read_tree(path("one")), read_tree(path("array"))), "");
  expect_nothing_unfinished(folder().path());
}

}  // namespace
}  // namespace bertprep::test
