// The vocabulary of a dataset: its copy with the shards, and what does not fit it.
#include "e2e/e2e_test.h"
#include "support/json_lines.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;

class DatasetVocabProgramTest : public E2eTest {
 protected:
  std::string copy_in(const std::string& root = "root") const { return read_bytes(phase1(root) / "vocab.txt"); }
};

TEST_F(DatasetVocabProgramTest, ARunLeavesItAndRerunsFindIt) {
  succeed(run_sample());
  EXPECT_EQ(copy_in(), read_bytes(vocab()));
  const JsonValue vocabulary = parse_json(read_bytes(phase1() / "manifest.json")).at("vocabulary");
  EXPECT_EQ(vocabulary.at("file").text, "vocab.txt");
  EXPECT_EQ(vocabulary.at("size").text, "600");
  EXPECT_EQ(vocabulary.at("lower_case").text, "true");
  const FileTree before = read_tree(folder() / "root");
  succeed(run_sample());
  EXPECT_EQ(difference(before, read_tree(folder() / "root")), "");
}

TEST_F(DatasetVocabProgramTest, AnArrayJobLeavesTheSame) {
  succeed(run_sample("whole", "whole-work"));
  const auto stage = [&](const Arguments& more) { succeed(run_sample() + Arguments{"-q"} + more); };
  stage({"--stage", "fetch"});
  for (const char* name : {"format", "shard", "instances"}) {
    if (std::string(name) == "shard") stage({"--stage", "place"});
    for (const char* task : {"0", "1"}) stage({"--stage", name, "--array-task", task, "--array-count", "2"});
  }
  stage({"--stage", "finish"});
  EXPECT_EQ(copy_in(), read_bytes(vocab()));
  EXPECT_EQ(read_bytes(phase1() / "manifest.json"), read_bytes(phase1("whole") / "manifest.json"));
}

TEST_F(DatasetVocabProgramTest, TheEndOfAnArrayJobRepairsADamagedCopy) {
  const auto stage = [&](const Arguments& more) { succeed(run_sample() + Arguments{"-q"} + more); };
  for (const char* name : {"fetch", "format", "place", "shard", "instances"}) stage({"--stage", name});
  const auto written = fs::last_write_time(phase1() / "vocab.txt");
  std::string bytes = copy_in();
  bytes[10] ^= 1;
  folder().write(phase1().lexically_relative(folder().path()).string() + "/vocab.txt", bytes);
  fs::last_write_time(phase1() / "vocab.txt", written);
  stage({"--stage", "finish"});
  EXPECT_EQ(copy_in(), read_bytes(vocab()));
  EXPECT_EQ(parse_json(read_bytes(phase1() / "manifest.json")).at("vocabulary").at("file").text, "vocab.txt");
}

TEST_F(DatasetVocabProgramTest, AUsersFileIsKept) {
  folder().write(phase1().lexically_relative(folder().path()).string() + "/vocab.txt", "mine\n");
  for (const Arguments& more : {Arguments{}, Arguments{"--stage", "fetch"}}) {
    fail(1, run_sample() + more, {"vocab.txt", "holds another vocabulary than that of this run", "--force"});
    EXPECT_EQ(copy_in(), "mine\n");
  }
  succeed(run_sample() + Arguments{"--force"});
  EXPECT_EQ(copy_in(), read_bytes(vocab()));
}

TEST_F(DatasetVocabProgramTest, TheOtherCaseIsRefused) {
  const std::string lines = folder().write("lines.txt", "The River\n");
  fail(2, {"tokenize", "--no-lower-case", "--vocab", "sample-uncased", lines}, {"leave --no-lower-case out"});
  fail(2, run_sample() + Arguments{"--no-lower-case"}, {"is in lower case", "or give a cased vocabulary"});
  fail(2, run_sample() + Arguments{"--vocab", "bert-base-cased", "--offline"}, {"is cased", "give --no-lower-case"});
  EXPECT_FALSE(fs::exists(folder() / "root"));
}

}  // namespace
}  // namespace bertprep::test
