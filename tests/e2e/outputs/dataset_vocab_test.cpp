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

class OwnVocabTest : public E2eTest {
 protected:
  // A cased vocabulary, away from the records of its training.
  std::string cased() {
    const std::string text =
        folder().write("cased/text.txt", "Hello NASA, \u00c9mile. Hello NASA, \u00c9mile. It is so.\n");
    succeed({"vocab", "train", text, "--format", "articles", "--no-lower-case", "-o", path("cased/v.txt"), "-q"});
    return folder().write("moved/v.txt", read_bytes(path("cased/v.txt")));
  }
  const RunOptions input_{.input = "Hello NASA \u00c9mile\n"};
};

TEST_F(OwnVocabTest, ATrainedOneKeepsItsCase) {
  const std::string moved = cased(), trained = path("cased/v.txt");
  for (const char* flag : {"", "--lower-case"}) {
    Arguments call{"tokenize", "--vocab", trained};
    if (*flag != 0) call.emplace_back(flag);
    fail(2, call, {"is cased ('vocab train')", "(--lower-case)", "give --no-lower-case"}, input_);
  }
  fail(2, {"tokenize", "--vocab", moved},
       {"moved/v.txt': 15 of its 35 pieces, such as 'Hello', ", "can't occur in text that is turned into lower case",
        "give --no-lower-case for a cased vocabulary"},
       input_);
  fail(2, run_sample() + Arguments{"--vocab", moved}, {"can't occur in text that is turned into lower case"});
  for (const std::string& vocabulary : {moved, trained}) {
    EXPECT_EQ(succeed({"tokenize", "--no-lower-case", "--vocab", vocabulary}, input_).out, "Hello NASA \u00c9mile\n");
  }
  const Finished asked = succeed({"tokenize", "--lower-case", "--vocab", moved}, input_);
  EXPECT_THAT(asked.err, testing::HasSubstr("15 of its 35 pieces")) << "asked for, and told";
}

TEST_F(OwnVocabTest, AnExportedOneSaysHowTextIsRead) {
  succeed({"vocab", "export", path("hf"), "--vocab", cased(), "--no-lower-case"});
  for (const std::string& vocabulary : {path("hf"), path("hf/tokenizer.json")}) {
    const Finished found = succeed({"tokenize", "--vocab", vocabulary}, input_);
    EXPECT_EQ(found.out, "Hello NASA \u00c9mile\n");
    EXPECT_EQ(found.err,
              "the text is read as " + path("hf/tokenizer.json") + " says: with its capitals, accents are kept\n");
    EXPECT_EQ(succeed({"tokenize", "--no-lower-case", "--vocab", vocabulary}, input_).err, "");
    fail(2, {"tokenize", "--lower-case", "--vocab", vocabulary},
         {"is cased (" + path("hf/tokenizer.json") + ")", "(--lower-case)"}, input_);
    fail(2, {"tokenize", "--strip-accents", "yes", "--vocab", vocabulary}, {"has accents", "--strip-accents no"},
         input_);
  }
  succeed({"vocab", "export", path("again"), "--vocab", path("hf")});
  EXPECT_EQ(difference(read_tree(folder() / "hf"), read_tree(folder() / "again")), "");
  EXPECT_THAT(succeed({"vocab", "check", path("hf")}).out,
              testing::AllOf(testing::HasSubstr("hf: valid, "),
                             testing::HasSubstr("text with its capitals, accents are kept (" + path("hf"))));
  // A configuration file names defaults, too.
  const Arguments run = run_sample() + Arguments{"--vocab", path("hf")};
  const std::string config = folder().write("c.json", succeed(run + Arguments{"--print-config"}).out);
  EXPECT_THAT(succeed(run + Arguments{"--config", config, "--dry-run"}).err, testing::HasSubstr("with its capitals"));
}

TEST_F(OwnVocabTest, RunsGiveTheSameShardsHoweverItIsGiven) {
  const std::string moved = cased();
  succeed({"vocab", "export", path("hf"), "--vocab", moved, "--no-lower-case"});
  const auto rows = [&](const std::string& name, const Arguments& more) {
    succeed(run_sample(name, name + "-work") + more);
    for (const auto& phase : fs::directory_iterator(folder() / name)) {
      EXPECT_THAT(phase.path().filename().string(), testing::HasSubstr("lower_case_0"));
      if (phase.path().filename().string().find("len_128_") == std::string::npos) continue;
      return read_bytes(phase.path() / "sample" / "sample_training_0.hdf5");
    }
    return std::string();
  };
  const std::string expected = rows("file", {"--vocab", moved, "--no-lower-case"});
  EXPECT_NE(expected, "");
  EXPECT_EQ(rows("folder", {"--vocab", path("hf")}), expected);
  EXPECT_EQ(rows("json", {"--vocab", path("hf/tokenizer.json")}), expected);
}

}  // namespace
}  // namespace bertprep::test
