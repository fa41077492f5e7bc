// berttrain as a user runs it, on shards of the sample.
#include "e2e/e2e_test.h"
#include "support/json_lines.h"

namespace bertprep::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class BerttrainTest : public E2eTest {
 protected:
  void SetUp() override { succeed(run_sample() + Arguments{"--phase", "1", "-q"}); }

  Arguments command(const Arguments& arguments) const {
    return Arguments{BERTTRAIN_PROGRAM, "--data", phase1().string(), "--model", "tiny", "--batch-size", "4"} +
           arguments;
  }
};

TEST_F(BerttrainTest, VersionNamesTheLibrariesOfTheTrainerToo) {
  const std::string program = command({}).front();
  const std::string text = run_program({program, "--version"}).out;
  const std::string events = run_program({program, "--version", "--json"}).out;
  EXPECT_THAT(text, testing::ContainsRegex("^berttrain [0-9]"));
  for (const char* library : {"libtorch", "HDF5", "CLI11"}) {
    EXPECT_THAT(text, testing::ContainsRegex("\n" + std::string(library) + " +[0-9]+[.][0-9]"));
    EXPECT_THAT(events, HasSubstr("\"library\",\"name\":\"" + std::string(library) + "\""));
  }
}

TEST_F(BerttrainTest, TrainsOnTheSample) {
  const Finished finished =
      run_program(command({"--max-steps", "20", "--log-every", "1", "--learning-rate", "0.01", "--output", path("out"),
                           "--log-json", path("log.jsonl"), "--tensorboard", path("tb"), "--export", path("hf")}));
  ASSERT_EQ(finished.exit_status, 0) << finished.err;
  EXPECT_EQ(finished.out, "");
  EXPECT_THAT(finished.err,
              AllOf(HasSubstr("step 1 of 20  loss "), HasSubstr("sequences/s"), HasSubstr("20 steps in ")));
  std::vector<double> losses;
  for (const auto& line : read_json_lines(path("log.jsonl"))) {
    const auto& data = line.at("data");
    if (!data.keys.empty() && data.keys.front() == "loss") losses.push_back(std::stod(data.at("loss").text));
  }
  ASSERT_EQ(losses.size(), 20U);
  // All pieces and both labels are equally likely at first: ln n + ln 2, n some 600.
  EXPECT_NEAR(losses.front(), 7.1, 0.4);
  EXPECT_LT(losses.back(), losses.front() - 0.2);
  EXPECT_THAT(names_of(read_tree(path("out"))), testing::ElementsAre("checkpoint_20.safetensors"));
  EXPECT_THAT(names_of(read_tree(path("hf"))),
              testing::ElementsAre("config.json", "model.safetensors", "special_tokens_map.json", "tokenizer.json",
                                   "tokenizer_config.json", "vocab.txt"));
  EXPECT_EQ(read_bytes(path("hf/vocab.txt")), read_bytes(vocab()));
  EXPECT_THAT(names_of(read_tree(path("tb"))), testing::ElementsAre(HasSubstr("events.out.tfevents.")));
}

TEST_F(BerttrainTest, ExportReplacesNoModelOfTheUser) {
  const auto train = [&](const Arguments& more) { return run_program(command({"--max-steps", "1"}) + more); };
  for (const std::string name : {"config.json", "model.safetensors", "tokenizer.json", "special_tokens_map.json"}) {
    const std::string mine = folder().write(name + ".mine/" + name, "{}");
    const Finished finished = train({"--export", path(name + ".mine")});
    EXPECT_EQ(finished.exit_status, 1) << finished.err;
    EXPECT_THAT(finished.err, AllOf(HasSubstr(mine + ": exists and is not of an export"), Not(HasSubstr("step 1"))));
    EXPECT_THAT(names_of(read_tree(path(name + ".mine"))), testing::ElementsAre(name));
    EXPECT_EQ(read_bytes(mine), "{}");
  }
  for (int call = 0; call < 2; ++call) EXPECT_EQ(train({"--export", path("own")}).exit_status, 0);
  // As after kill -9 while the model was written.
  const FileTree whole = read_tree(path("own"));
  for (const auto& file : std::filesystem::directory_iterator(path("own"))) {
    if (file.path().filename() != "config.json") std::filesystem::remove(file);
  }
  EXPECT_EQ(train({"--export", path("own")}).exit_status, 0);
  EXPECT_EQ(names_of(read_tree(path("own"))), names_of(whole));
}

TEST_F(BerttrainTest, SaysBeforeTheFirstStepWhatCantBeWritten) {
  const std::string file = folder().write("file", "mine");
  for (const std::string option : {"--output", "--export"}) {
    const Finished blocked = run_program(command({"--max-steps", "1", option, file}));
    EXPECT_EQ(blocked.exit_status, 1);
    EXPECT_THAT(blocked.err, AllOf(HasSubstr(file), Not(HasSubstr("step 1"))));
    const Finished empty = run_program(command({"--max-steps", "1", option, ""}));
    EXPECT_EQ(empty.exit_status, 2);
    EXPECT_THAT(empty.err, HasSubstr(option + ": the path is empty"));
  }
  for (const std::string option :
       {"--output", "--export", "--init-from", "--data", "--model", "--log-json", "--tensorboard"}) {
    const Finished address = run_program(command({"--max-steps", "1", option, "gs://bucket/x"}));
    EXPECT_EQ(address.exit_status, 2);
    EXPECT_THAT(address.err, HasSubstr(option + ": 'gs://bucket/x' is an address"));
  }
  EXPECT_EQ(read_bytes(file), "mine");
}

TEST_F(BerttrainTest, AddsItsLogToNoOtherFile) {
  for (const std::string mine : {"mine", "{\"text\": \"of mine\"}\n"}) {
    const std::string file = folder().write("file", mine);
    const Finished logged = run_program(command({"--max-steps", "1", "--log-json", file}));
    EXPECT_EQ(logged.exit_status, 1);
    EXPECT_THAT(logged.err, AllOf(HasSubstr(file + ": exists and is not a log"), Not(HasSubstr("step 1"))));
    EXPECT_EQ(read_bytes(file), mine);
  }
  for (int call = 0; call < 2; ++call) {
    EXPECT_EQ(run_program(command({"--max-steps", "1", "--log-json", path("log.jsonl")})).exit_status, 0);
  }
}

// Starts a long run, waits for its first report, and ends it by a signal.
constexpr const char* kInterrupt = R"(log=$1; shift
"$@" --log-json "$log" & process=$!
until grep -q '"loss"' "$log" 2>/dev/null; do sleep 0.1; kill -0 $process 2>/dev/null || break; done
kill -TERM $process
status=0; wait $process || status=$?
exit $status)";

TEST_F(BerttrainTest, SavesAtASignalAndContinues) {
  const Arguments run = command({"--max-steps", "100000", "--log-every", "1", "--output", path("out")});
  const Finished first = run_program(Arguments{"/bin/bash", "-c", kInterrupt, "bash", path("first.jsonl")} + run);
  EXPECT_EQ(first.exit_status, 143) << first.err;
  const auto saved = names_of(read_tree(path("out")));
  ASSERT_EQ(saved.size(), 1U);
  const Finished second = run_program(Arguments{"/bin/bash", "-c", kInterrupt, "bash", path("second.jsonl")} + run);
  EXPECT_EQ(second.exit_status, 143);
  EXPECT_THAT(second.err, HasSubstr("resumes from " + path("out") + "/" + saved.front()));
  EXPECT_THAT(second.err, testing::Not(HasSubstr("step 1 of")));
}

// Killed by the system in the middle of an epoch, it resumes from the last checkpoint, to the same bits.
constexpr const char* kKill = R"(out=$1; shift
"$@" & process=$!
until [ -e "$out/checkpoint_6.safetensors" ]; do sleep 0.02; kill -0 $process 2>/dev/null || break; done
kill -KILL $process
wait $process)";

TEST_F(BerttrainTest, AKilledRunEndsWithTheSameBits) {
  const Arguments same{"--precision", "bf16", "--micro-batch", "3", "--batch-size", "6", "--save-every", "2"};
  const auto run = [&](const std::string& name) {
    return command(Arguments{"--max-steps", "120", "--output", path(name), "-q", "-j", "1"} + same);
  };
  EXPECT_EQ(run_program(run("unbroken")).exit_status, 0);
  const Finished killed = run_program(Arguments{"/bin/bash", "-c", kKill, "bash", path("cut")} + run("cut"));
  EXPECT_EQ(killed.exit_status, 137) << killed.err;
  EXPECT_FALSE(std::filesystem::exists(path("cut") + "/checkpoint_120.safetensors"));
  EXPECT_EQ(run_program(run("cut")).exit_status, 0);
  const std::string last = "/checkpoint_120.safetensors";
  EXPECT_EQ(read_bytes(path("unbroken") + last), read_bytes(path("cut") + last));
}

// Also with a folder of the model's name, as the examples make one.
TEST_F(BerttrainTest, EndsAfterTheStepsOfThisRun) {
  constexpr const char* kThere = R"(cd "$1"; shift; mkdir -p tiny; "$@")";
  const auto run = [&] {
    const Arguments some = command({"--max-steps", "5", "--steps-this-run", "3", "--output", "tiny"});
    return run_program(Arguments{"/bin/bash", "-c", kThere, "bash", path("")} + some);
  };
  const Finished first = run();
  EXPECT_EQ(first.exit_status, 0) << first.err;
  EXPECT_THAT(first.err, AllOf(HasSubstr("3 steps in "), HasSubstr("saved tiny/checkpoint_3.safetensors")));
  EXPECT_THAT(run().err, AllOf(HasSubstr("2 steps in "), HasSubstr("saved tiny/checkpoint_5.safetensors")));
}

class DamagedCheckpointTest : public BerttrainTest {
 protected:
  void SetUp() override {
    BerttrainTest::SetUp();
    ASSERT_EQ(run_program(train("sound", {"--steps-this-run", "3"})).exit_status, 0);
    copy_folder("sound", "out");
  }
  void copy_folder(const std::string& from, const std::string& to) {
    std::filesystem::remove_all(path(to));
    std::filesystem::copy(path(from), path(to));
  }
  Arguments train(const std::string& output, const Arguments& more) const {
    return command(
        Arguments{"--max-steps", "5", "--save-every", "1", "--keep", "2", "-j", "1", "--output", path(output)} + more);
  }
  std::string checkpoint(const std::string& output, int step) const {
    return path(output) + "/checkpoint_" + std::to_string(step) + ".safetensors";
  }
  // Damaged checkpoints: bits flipped in header or values, truncated, empty.
  std::vector<std::string> damaged(const std::string& bytes) const {
    const std::size_t header = 8 + static_cast<unsigned char>(bytes[0]) + 256 * static_cast<unsigned char>(bytes[1]);
    std::vector<std::string> all{"", bytes.substr(0, bytes.size() / 2), bytes.substr(0, bytes.size() - 1)};
    for (const std::size_t at :
         {std::size_t{1}, std::size_t{20}, header / 2, header + 100, (header + bytes.size()) / 2, bytes.size() - 3}) {
      all.push_back(bytes);
      all.back()[at] = static_cast<char>(all.back()[at] ^ 0x10);
    }
    return all;
  }
};

TEST_F(DamagedCheckpointTest, ARunGoesBackToTheNewestValidCheckpoint) {
  ASSERT_EQ(run_program(train("sound", {"-q"})).exit_status, 0);
  for (const std::string& bytes : damaged(read_bytes(checkpoint("out", 3)))) {
    copy_folder("out", "cut");
    folder().write("cut/checkpoint_3.safetensors", bytes);
    const Finished finished = run_program(train("cut", {}));
    EXPECT_EQ(finished.exit_status, 0) << finished.err;
    EXPECT_THAT(finished.err, AllOf(HasSubstr("skipped: " + checkpoint("cut", 3) + ": "),
                                    HasSubstr("resumes from " + checkpoint("cut", 2))));
    EXPECT_EQ(read_bytes(checkpoint("cut", 5)), read_bytes(checkpoint("sound", 5)));
  }
}

TEST_F(DamagedCheckpointTest, ARunWithoutAValidCheckpointGivesAHint) {
  for (const int step : {2, 3}) {
    std::string bytes = read_bytes(checkpoint("out", step));
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    folder().write("out/checkpoint_" + std::to_string(step) + ".safetensors", bytes);
  }
  const FileTree before = read_tree(path("out"));
  const Finished finished = run_program(train("out", {}));
  EXPECT_EQ(finished.exit_status, 1);
  EXPECT_THAT(finished.err, AllOf(HasSubstr("contains no valid checkpoint"), HasSubstr(checkpoint("out", 3)),
                                  HasSubstr("--no-resume")));
  EXPECT_EQ(difference(before, read_tree(path("out"))), "");
  EXPECT_EQ(run_program(train("out", {"--no-resume", "-q"})).exit_status, 0);
}

TEST_F(DamagedCheckpointTest, WeightsForANewRunAreRefused) {
  ASSERT_EQ(run_program(train("sound", {"-q", "--export", path("hf")})).exit_status, 0);
  const Arguments start{"--max-steps", "1", "-q", "--init-from"};
  EXPECT_EQ(run_program(command(start + Arguments{path("out")})).exit_status, 0);
  EXPECT_EQ(run_program(command(start + Arguments{path("hf")})).exit_status, 0);
  for (const std::string name : {"out/checkpoint_3.safetensors", "hf/model.safetensors"}) {
    std::string bytes = read_bytes(path(name));
    const std::size_t header = 8 + static_cast<unsigned char>(bytes[0]) + 256 * static_cast<unsigned char>(bytes[1]);
    bytes[header + 5000] = static_cast<char>(bytes[header + 5000] ^ 4);
    folder().write(name, bytes);
    const Finished finished = run_program(command(start + Arguments{path(name)}));
    EXPECT_EQ(finished.exit_status, 1);
    EXPECT_THAT(finished.err, AllOf(HasSubstr(path(name)), HasSubstr("differs from what was written")));
  }
}

TEST_F(BerttrainTest, AFolderWithGapsIsRefusedUnlessRequested) {
  const std::string lost = "sample_training_3.hdf5";
  std::filesystem::remove(phase1() / lost);
  const Finished refused = run_program(command({"--max-steps", "1", "-q"}));
  EXPECT_EQ(refused.exit_status, 1);
  EXPECT_THAT(refused.err, AllOf(HasSubstr(lost), HasSubstr("--incomplete")));
  const Finished taken = run_program(command({"--max-steps", "1", "-q", "--incomplete"}));
  EXPECT_EQ(taken.exit_status, 0) << taken.err;
}

// Ids of one vocabulary are meaningless to a model of another.
class OtherVocabTest : public BerttrainTest {
 protected:
  void SetUp() override {
    BerttrainTest::SetUp();
    train(phase1(), 0, {"--output", path("out"), "--export", path("hf")});
    const std::string pieces = read_bytes(vocab());
    const std::string other = folder().write("other.txt", pieces.substr(0, pieces.rfind('\n', pieces.size() - 2) + 1));
    succeed(run_sample("root2", "work2") + Arguments{"--phase", "1", "--vocab", other, "-q"});
  }
  std::string train(const std::filesystem::path& data, int status, const Arguments& more) {
    const Finished finished = run_program(Arguments{BERTTRAIN_PROGRAM, "--data", data.string(), "--model", "tiny",
                                                    "--batch-size", "4", "--max-steps", "1"} +
                                          more);
    EXPECT_EQ(finished.exit_status, status) << finished.err;
    return finished.err;
  }
};

TEST_F(OtherVocabTest, IsRefusedWithTheNamesOfBoth) {
  const auto names_both = AllOf(HasSubstr("'vocab.txt' (SHA-256 "), HasSubstr("'other.txt' (SHA-256 "));
  EXPECT_THAT(train(phase1("root2"), 2, {"--init-from", path("out")}), names_both);
  EXPECT_THAT(train(phase1("root2"), 2, {"--output", path("out")}), names_both);
  for (const char* option : {"--init-from", "--export"}) {
    EXPECT_THAT(train(phase1("root2"), 2, {option, path("hf")}),
                AllOf(HasSubstr(path("hf/vocab.txt")), HasSubstr("'other.txt' (SHA-256 ")));
  }
}

TEST_F(OtherVocabTest, TheSameIsTaken) {
  train(phase1(), 0, {"--init-from", path("out")});
  train(phase1(), 0, {"--init-from", path("hf"), "--export", path("hf")});
  std::string windows;
  for (const char c : read_bytes(vocab())) windows += c == '\n' ? "\r\n" : std::string(1, c);
  folder().write("hf/vocab.txt", windows);
  train(phase1(), 0, {"--init-from", path("hf")});
}

TEST_F(OtherVocabTest, WithoutACopyTheModelAloneIsExported) {
  std::filesystem::remove(phase1() / "vocab.txt");
  EXPECT_THAT(train(phase1(), 0, {"--export", path("bare")}), HasSubstr("the tokenizer's files are not exported"));
  EXPECT_THAT(names_of(read_tree(path("bare"))), testing::ElementsAre("config.json", "model.safetensors"));
}

// On the blocks of a run for GPT-2.
class BerttrainGpt2Test : public E2eTest {
 protected:
  void SetUp() override {
    make_blocks(64, "data");
    folder().write("config.json", R"({"model_type": "gpt2", "vocab_size": 1000, "n_embd": 64, "n_layer": 2,
        "n_head": 2, "n_positions": 64, "eos_token_id": 5})");
  }
  Finished train(const Arguments& more) const {
    return run_program(Arguments{BERTTRAIN_PROGRAM, "--data", path("data/sample"), "--model", path("config.json"),
                                 "--batch-size", "4", "--max-steps", "4"} +
                       more);
  }
};

TEST_F(BerttrainGpt2Test, TrainsOnBlocks) {
  const Finished first = train({"--eval-every", "4", "--log-json", path("log.jsonl"), "--export", path("hf")});
  ASSERT_EQ(first.exit_status, 0) << first.err;
  EXPECT_THAT(first.err, AllOf(HasSubstr("step 1 of 4  loss 6."), HasSubstr("  next "), HasSubstr("59 rows"),
                               testing::Not(HasSubstr("nsp"))));
  EXPECT_THAT(read_bytes(path("log.jsonl")),
              AllOf(HasSubstr("\"accuracy\""), HasSubstr("\"eval_accuracy\""), testing::Not(HasSubstr("nsp"))));
  EXPECT_THAT(names_of(read_tree(path("hf"))),
              testing::ElementsAre("config.json", "merges.txt", "model.safetensors", "special_tokens_map.json",
                                   "tokenizer.json", "tokenizer_config.json", "vocab.json"));
  EXPECT_EQ(read_bytes(path("hf/vocab.json")), read_bytes(path("data/sample/tokenizer/vocab.json")));
  // <|endoftext|> of the tokenizer, not what the file said.
  EXPECT_THAT(read_bytes(path("hf/config.json")), HasSubstr("\"eos_token_id\": 999"));
  const Finished second = train({"--init-from", path("hf")});
  EXPECT_EQ(second.exit_status, 0) << second.err;
  folder().write("hf/vocab.json", R"({"a": 0})");
  const Finished other = train({"--init-from", path("hf")});
  EXPECT_EQ(other.exit_status, 2);
  EXPECT_THAT(other.err, AllOf(HasSubstr("vocab.json"), HasSubstr("has other tokens than")));
}

TEST_F(BerttrainGpt2Test, RefusesIncompleteData) {
  const std::string shard = path("data/sample/sample_training_0.hdf5");
  const std::string bytes = read_bytes(shard);
  folder().write("data/sample/sample_training_0.hdf5", bytes + "x");
  const Finished changed = train({});
  EXPECT_EQ(changed.exit_status, 1);
  EXPECT_THAT(changed.err, HasSubstr("is not the file that the manifest describes"));
  std::filesystem::remove(shard);
  const Finished lost = train({});
  EXPECT_EQ(lost.exit_status, 1);
  EXPECT_THAT(lost.err, AllOf(HasSubstr("sample_training_0.hdf5: is in the manifest"), HasSubstr("--incomplete")));
  EXPECT_EQ(train({"--incomplete"}).exit_status, 0);
  const Finished bert = run_program({BERTTRAIN_PROGRAM, "--data", path("data/sample"), "--incomplete"});
  EXPECT_EQ(bert.exit_status, 2);
  EXPECT_THAT(bert.err, AllOf(HasSubstr("has token sequences"), HasSubstr("--model gpt2-small")));
}

TEST_F(BerttrainTest, ExplainsErrors) {
  const auto refusal = [&](const Arguments& arguments, int status) {
    const Finished finished = run_program(Arguments{BERTTRAIN_PROGRAM} + arguments);
    EXPECT_EQ(finished.exit_status, status) << finished.err;
    EXPECT_EQ(finished.out, "");
    return finished.err;
  };
  EXPECT_THAT(refusal({}, 2), HasSubstr("--data is missing"));
  EXPECT_THAT(refusal({"--max-step", "3"}, 2), HasSubstr("'--max-steps'"));
  EXPECT_THAT(refusal({"--data", path("nowhere")}, 1), HasSubstr("nowhere"));
  EXPECT_THAT(refusal({"--data", path("root")}, 2), HasSubstr("there are some in"));
  EXPECT_THAT(refusal({"--data", phase1().string(), "--model", "enormous"}, 2), HasSubstr("tiny, base, large"));
  EXPECT_THAT(refusal({"--data", phase1().string(), "--micro-batch", "5"}, 2), HasSubstr("--micro-batch 5"));
  EXPECT_THAT(refusal({"--data", phase1().string(), "--optimizer", "sgd"}, 2), HasSubstr("nvlamb|lans|adamw"));
}

TEST_F(BerttrainTest, NamesTheCommandThatConvertsFilesOfTorchSave) {
  folder().write("theirs/ckpt_7.pt", "PK\x03\x04");
  const std::string command_word = "convert it: python3 ";
  for (const auto& [given, made] :
       {std::pair("theirs/ckpt_7.pt", "theirs/ckpt_7.safetensors"), std::pair("theirs", "theirs/model.safetensors")}) {
    const Finished finished = run_program(command({"--max-steps", "1", "-q", "--init-from", path(given)}));
    EXPECT_EQ(finished.exit_status, 1);
    EXPECT_EQ(finished.out, "");
    EXPECT_THAT(finished.err, AllOf(HasSubstr(path(given)), HasSubstr(" " + path(given) + " -o " + path(made))));
    const std::size_t at = finished.err.find(command_word);
    ASSERT_NE(at, std::string::npos) << finished.err;
    const std::size_t begin = at + command_word.size();
    const std::string script = finished.err.substr(begin, finished.err.find(' ', begin) - begin);
    EXPECT_TRUE(std::filesystem::path(script).is_absolute()) << script;
    EXPECT_EQ(read_bytes(script), read_bytes(source_folder() / "trainer/scripts/torch_to_safetensors.py"));
  }
}

TEST_F(BerttrainTest, TakesAConfigurationOfDeepspeed) {
  const std::string file = folder().write("ds.json", R"({"train_batch_size": 8, "gradient_accumulation_steps": 2,
      "optimizer": {"type": "AdamW", "params": {"lr": 0.01}}, "zero_optimization": {"stage": 2}, "amp": {"x": 1}})");
  const Arguments base{BERTTRAIN_PROGRAM, "--data", phase1().string(), "--deepspeed-config", file};
  const Finished printed = run_program(base + Arguments{"--print-config"});
  EXPECT_THAT(printed.out, AllOf(HasSubstr("\"batch-size\": 8"), HasSubstr("\"micro-batch\": 4"),
                                 HasSubstr("\"optimizer\": \"adamw\""), HasSubstr("\"zero\": 2")));
  const Finished trained = run_program(base + Arguments{"--max-steps", "1", "--batch-size", "8"});
  EXPECT_EQ(trained.exit_status, 0) << trained.err;
  EXPECT_THAT(trained.err, HasSubstr("ds.json: without a counterpart, not used: amp.x"));
  const Finished refused = run_program(base + Arguments{"--max-steps", "1", "--batch-size", "4"});
  EXPECT_EQ(refused.exit_status, 2);
  EXPECT_THAT(refused.err, HasSubstr("train_batch_size is 8, and --batch-size is 4"));
}

TEST_F(BerttrainTest, ExplainsItself) {
  const Finished help = run_program({BERTTRAIN_PROGRAM, "--help"});
  EXPECT_EQ(help.exit_status, 0);
  EXPECT_THAT(help.out, AllOf(HasSubstr("Usage: berttrain"), HasSubstr("--max-steps STEPS"), HasSubstr("Examples:")));
  EXPECT_THAT(run_program(command({"--print-config"})).out, HasSubstr("\"batch-size\": 4"));
}

}  // namespace
}  // namespace bertprep::test
