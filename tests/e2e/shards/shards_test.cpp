// What the program says about finished shards: inspect, verify and hash.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "e2e/e2e_test.h"
#include "io/input_file.h"
#include "io/json.h"
#include "io/record_files.h"
#include "support/json_lines.h"
#include "support/sealed_bytes.h"

namespace bertprep::test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::StartsWith;
namespace fs = std::filesystem;

// Shards of phase 1 in the folder `shards`.
class ShardsTest : public E2eTest {
 protected:
  void SetUp() override {
    const std::vector<std::string> texts = make_text_shards();
    succeed(Arguments{"instances"} + texts + Arguments{"--vocab", vocab(), "-q", "-o", path("shards")});
  }
  std::string shard(const std::string& name) const { return path("shards/" + name + ".hdf5"); }

  // `verify` finds one problem with all `words`.
  void expect_problem(const std::vector<std::string>& words) {
    const Finished finished = bertprep({"verify", path("shards")});
    EXPECT_EQ(finished.exit_status, 1);
    EXPECT_THAT(finished.err, HasSubstr(" problem"));
    for (const std::string& word : words) EXPECT_THAT(finished.out, HasSubstr(word));
  }
};

void flip_byte(const std::string& file, std::uint64_t at) {
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(at));
  const auto byte = static_cast<char>(stream.get() ^ 0x10);
  stream.seekp(static_cast<std::streamoff>(at));
  stream.put(byte);
}

TEST_F(ShardsTest, InspectShowsShapeAndRows) {
  const std::string file = shard("sample_training_0");
  EXPECT_THAT(succeed({"inspect", file}).out,
              ContainsRegex("sample_training_0.hdf5: [0-9]+ rows of 128 tokens with up to 20 predictions, "));

  const std::string rows = succeed({"inspect", file, "--rows", "1:3", "--vocab", vocab()}).out;
  EXPECT_THAT(rows, HasSubstr("\nrow 1\n  next sentence: "));
  EXPECT_THAT(rows, HasSubstr("\nrow 2\n"));
  EXPECT_THAT(rows, testing::Not(HasSubstr("\nrow 3\n")));
  EXPECT_THAT(rows, ContainsRegex("  A: \\[CLS\\] .* \\[SEP\\]\n  B: .* \\[SEP\\]\n  masked: [0-9]+:[^ ]+"));
  EXPECT_THAT(rows, HasSubstr("[MASK]"));

  EXPECT_THAT(succeed({"inspect", file, "--rows", "0"}).out, HasSubstr("\nrow 0\n  next sentence: "));
  EXPECT_THAT(succeed({"inspect", file, "--rows", "0"}).out, HasSubstr("A: [CLS] ")) << "of vocab.txt beside it";
  fs::remove(path("shards/vocab.txt"));
  EXPECT_THAT(succeed({"inspect", file, "--rows", "0"}).out, HasSubstr("A: 2 "));
}

// 10 comes after 2, a training shard before a test shard, phase 1 before phase 2.
TEST_F(ShardsTest, InspectTakesTheFirstShardOfAFolder) {
  const Finished one = succeed({"inspect", path("shards")});
  EXPECT_THAT(one.out, testing::StartsWith(shard("sample_training_0") + ": "));
  EXPECT_THAT(one.err, HasSubstr("showing the first of 3 shards in " + path("shards")));

  fs::create_directories(folder() / "root/seq_len_512/x");
  fs::create_directories(folder() / "root/seq_len_128/x");
  fs::copy(shard("sample_training_0"), folder() / "root/seq_len_512/x/x_training_0.hdf5");
  for (const char* name : {"x_test_0", "x_training_10", "x_training_2"}) {
    fs::copy(shard("sample_training_0"), folder() / "root/seq_len_128/x" / (std::string(name) + ".hdf5"));
  }
  EXPECT_THAT(succeed({"inspect", path("root")}).out,
              testing::StartsWith(path("root/seq_len_128/x/x_training_2.hdf5")));
}

TEST_F(ShardsTest, InspectFindsTheVocabularyByItsDigest) {
  fs::remove(path("shards/vocab.txt"));
  const Finished unknown = succeed({"inspect", path("shards")});
  EXPECT_THAT(unknown.out, HasSubstr("A: 2 "));
  EXPECT_THAT(unknown.err, ContainsRegex("the vocabulary of the shard, with the SHA-256 [0-9a-f]{64}, is not found"));

  folder().write("shards/vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n");
  EXPECT_THAT(succeed({"inspect", path("shards")}).out, HasSubstr("A: 2 ")) << "another vocabulary";
  fs::copy(vocab(), path("shards/vocab.txt"), fs::copy_options::overwrite_existing);
  const Finished known = succeed({"inspect", path("shards")});
  EXPECT_THAT(known.out, HasSubstr("A: [CLS] "));
  EXPECT_THAT(known.err, testing::Not(HasSubstr("SHA-256")));
  EXPECT_THAT(succeed({"inspect", path("shards"), "--vocab", "sample-uncased", "--rows", "0"}).out,
              HasSubstr("A: [CLS] "))
      << "--vocab counts";
}

TEST_F(ShardsTest, EventsAreAllThatIsOnStdout) {
  const std::vector<Arguments> commands = {{"inspect", path("shards")}, {"hash", path("shards")},
                                           {"verify", path("shards")},  {"vocab", "check", vocab()},
                                           {"vocab", "list"},           {"fetch", "--list"}};
  for (const Arguments& command : commands) {
    const std::string out = succeed(command + Arguments{"--json"}).out;
    EXPECT_FALSE(out.empty()) << command.front();
    std::istringstream lines(out);
    for (std::string line; std::getline(lines, line);) {
      const Json event = Json::parse(line, command.front());
      EXPECT_FALSE(event.at("event").text().empty()) << line;
    }
  }
}

TEST_F(ShardsTest, InspectRefusesMissingRows) {
  const Finished finished = bertprep({"inspect", shard("sample_test_0"), "--rows", "5:100000"});
  EXPECT_EQ(finished.exit_status, 1);
  EXPECT_THAT(finished.err, HasSubstr("--rows 5:100000 is outside the "));
  EXPECT_EQ(bertprep({"inspect", shard("sample_test_0"), "--rows", "a:b"}).exit_status, 2);
}

TEST_F(ShardsTest, VerifyFindsValidShardsValid) {
  const Finished finished = succeed({"verify", path("shards")});
  EXPECT_EQ(finished.out, "");
  EXPECT_THAT(finished.err, ContainsRegex("shards: 3 shards, [0-9,]+ rows, [0-9.]+ kB, sound"));
}

TEST_F(ShardsTest, VerifyFindsAFlippedByte) {
  const std::string file = shard("sample_training_1");
  flip_byte(file, fs::file_size(file) / 2);
  expect_problem({file, "sha256"});
}

TEST_F(ShardsTest, VerifyFindsATruncatedShard) {
  const std::string file = shard("sample_training_1");
  fs::resize_file(file, fs::file_size(file) - 1000);
  expect_problem({file, "bytes, the manifest says"});
}

TEST_F(ShardsTest, VerifyFindsAnEmptyShard) {
  fs::resize_file(shard("sample_training_1"), 0);
  expect_problem({shard("sample_training_1")});
}

TEST_F(ShardsTest, VerifyFindsAMissingShard) {
  fs::remove(shard("sample_test_0"));
  expect_problem({"sample_test_0.hdf5: is in the manifest, but missing"});
}

TEST_F(ShardsTest, VerifyFindsAStrayShard) {
  fs::copy(shard("sample_training_0"), shard("sample_training_2"));
  expect_problem({"sample_training_2.hdf5: is not in the manifest"});
}

TEST_F(ShardsTest, VerifyFindsADamagedManifest) {
  std::ofstream(path("shards/manifest.json")) << "{\"shards\": [";
  const Finished finished = bertprep({"verify", path("shards")});
  EXPECT_EQ(finished.exit_status, 1);
  EXPECT_THAT(finished.err + finished.out, HasSubstr("manifest.json"));
}

TEST_F(ShardsTest, VerifyFindsMissingShardsWithoutAManifest) {
  fs::remove(path("shards/manifest.json"));
  fs::remove(shard("sample_training_0"));
  const Finished finished = bertprep({"verify", path("shards")});
  EXPECT_EQ(finished.exit_status, 1);
  EXPECT_THAT(finished.out, HasSubstr(path("shards/manifest.json") + ": is missing: the run is not finished; "));
  EXPECT_THAT(finished.out, HasSubstr(shard("sample_training_0") + ": is missing: "));
  fs::remove_all(path(".shards.bertprep"));
  const Finished without_records = bertprep({"verify", path("shards")});
  EXPECT_EQ(without_records.exit_status, 1);
  EXPECT_EQ(without_records.out,
            shard("sample_training_0") + ": is missing: the names go up to sample_training_1.hdf5\n");
  fs::remove(shard("sample_training_1"));
  succeed({"verify", path("shards")});
}

TEST_F(ShardsTest, VerifyComparesWithRecordsWhereThereIsNoManifest) {
  fs::remove(path("shards/manifest.json"));
  const std::string file = shard("sample_training_1");
  flip_byte(file, 900);
  EXPECT_THAT(bertprep({"verify", path("shards")}).out, ContainsRegex("has sha256 .*, its completion record says "));
  std::string bytes = *RecordFiles(path(".shards.bertprep")).read("sample_training_1");
  bytes.insert(bytes.find("\"rows\": ") + 8, "-");
  folder().write(".shards.bertprep/records/sample_training_1.json", test::sealed_anew(bytes));
  const Finished finished = bertprep({"verify", path("shards")});
  EXPECT_EQ(finished.exit_status, 1);
  EXPECT_THAT(finished.out, testing::AllOf(HasSubstr("manifest.json: is missing"),
                                           testing::Not(HasSubstr("its completion record says"))));
}

TEST_F(ShardsTest, VerifyRefusesRowsOfTwoLengths) {
  succeed({"instances", path("text/sample_test_0.txt"), "--vocab", vocab(), "--seq-len", "64", "-q", "-o", path("64")});
  fs::copy(path("64/sample_test_0.hdf5"), path("shards/sample_test_1.hdf5"));
  fs::remove(path("shards/manifest.json"));
  fs::remove_all(path(".shards.bertprep"));
  const Finished finished = bertprep({"verify", path("shards")});
  EXPECT_EQ(finished.exit_status, 1);
  EXPECT_EQ(finished.out, shard("sample_test_1") +
                              ": rows have 64 tokens and 20 predictions, those of sample_test_0.hdf5 128 tokens and 20 "
                              "predictions\n");
}

TEST_F(E2eTest, VerifyKnowsARunThatWasKilled) {
  succeed(run_sample());
  ASSERT_GT(fs::remove_all(phase1() / "manifest.json"), 0U);
  for (const char* name : {"sample_training_2", "sample_training_3", "sample_test_1"}) {
    fs::remove(phase1() / (std::string(name) + ".hdf5"));
    RecordFiles(phase1().parent_path() / ".sample.bertprep").remove(name);
  }
  const Finished finished = bertprep({"verify", phase1()});
  EXPECT_EQ(finished.exit_status, 1);
  EXPECT_THAT(finished.out,
              HasSubstr("/sample_training_2.hdf5 to sample_training_3.hdf5: are missing: the run makes 4"));
  EXPECT_THAT(finished.out, HasSubstr("/sample_test_1.hdf5: is missing: the run makes 2"));
  EXPECT_THAT(finished.err, HasSubstr("3 problems"));
}

TEST_F(E2eTest, VerifyComparesIntermediateFiles) {
  succeed(run_sample());
  EXPECT_THAT(succeed({"verify", "--work", path("work")}).err, ContainsRegex("work: [0-9]+ files, [0-9.]+ .B, sound"));
  const fs::path formatted = folder() / "work/formatted_one_article_per_line/sample_one_article_per_line.txt.zst";
  fs::path text;
  for (const auto& entry : fs::recursive_directory_iterator(folder() / "work")) {
    if (entry.path().filename() == "sample_training_1.txt") text = entry.path();
  }
  for (const fs::path& file : {formatted, text}) {
    ASSERT_TRUE(fs::exists(file)) << file;
    flip_byte(file, fs::file_size(file) / 2);
    const Finished finished = bertprep({"verify", "--work", path("work"), path("root")});
    EXPECT_EQ(finished.exit_status, 1);
    EXPECT_THAT(finished.out, StartsWith(file.string() + ": has sha256 "));
    EXPECT_THAT(finished.out, HasSubstr("; remove it and run the command again"));
    EXPECT_THAT(finished.err, AllOf(HasSubstr(" 1 problem"), HasSubstr("sample: 6 shards")));
    flip_byte(file, fs::file_size(file) / 2);
  }
  succeed({"verify", "--work", path("work")});
  fs::remove(text);
  EXPECT_THAT(bertprep({"verify", "--work", path("work")}).out,
              StartsWith(text.string() + ": is missing, but other files of its task exist; "));
  fail(2, {"verify"}, {"no folder was given"});
}

// Which articles are in which text shard: only explain needs it.
TEST_F(E2eTest, VerifyChecksTheRecordOfArticlesAndARunMakesItAgain) {
  succeed(run_sample());
  fs::path articles;
  for (const auto& entry : fs::recursive_directory_iterator(folder() / "work")) {
    if (entry.path().filename() == "sample.articles") articles = entry.path();
  }
  const std::string before = read_bytes(articles);
  for (const std::uintmax_t place : {std::uintmax_t{0}, fs::file_size(articles) - 1}) {
    flip_byte(articles, place);
    const Finished finished = bertprep({"verify", "--work", path("work")});
    EXPECT_EQ(finished.exit_status, 1);
    EXPECT_THAT(finished.out, StartsWith(articles.string() + ": is damaged: "));
    EXPECT_THAT(finished.out, HasSubstr("run the command again: its stage 'shard' remakes it"));
    const std::string row = (phase1() / "sample_training_0.hdf5").string() + ":5";
    EXPECT_THAT(succeed({"explain", row, "--work", path("work")}).out,
                HasSubstr("give the command that made the text shards again"));
    EXPECT_THAT(succeed(run_sample()).err, HasSubstr("shard: done again, as the record of its articles is damaged"));
    succeed({"verify", "--work", path("work")});
    EXPECT_TRUE(read_bytes(articles) == before);
  }
}

TEST_F(ShardsTest, VerifyReportsProblemsAsEventsWhenRequested) {
  fs::remove(shard("sample_test_0"));
  const Finished finished = bertprep({"verify", path("shards"), "--json"});
  EXPECT_EQ(finished.exit_status, 1);
  std::istringstream lines(finished.out);
  int problems = 0;
  for (std::string line; std::getline(lines, line);) problems += parse_json(line).at("event").text == "problem" ? 1 : 0;
  EXPECT_EQ(problems, 1) << finished.out;
}

TEST_F(ShardsTest, VerifyTakesTheNameOfAShardAlone) {
  const Finished finished = succeed({"verify", "sample_training_0.hdf5"}, {.folder = path("shards")});
  EXPECT_THAT(finished.err, HasSubstr("sound"));
}

TEST_F(ShardsTest, VerifyRefusesAFolderWithoutShards) {
  folder().write("other/notes.txt", "text\n");
  fail(1, {"verify", path("other")}, {path("other"), "contains no .hdf5 or .h5 file"});
  fail(1, {"verify", path("absent")}, {path("absent"), "No such file"});
}

// Files that h5py makes by itself, and this program never does.
class BrokenShardTest : public E2eTest {
 protected:
  void SetUp() override {
    if (std::system("/usr/bin/python3 -c 'import h5py' >/dev/null 2>&1") != 0) GTEST_SKIP() << "skipped: no h5py";
  }
  // The path of the file, alone in a folder.
  std::string make(const std::string& kind) {
    fs::create_directories(folder() / kind);
    const std::string file = path(kind + "/x_training_0.hdf5");
    const Finished made =
        run_program({"/usr/bin/python3", source_folder() / "tests/e2e/shards/broken_shard.py", kind, file});
    EXPECT_EQ(made.exit_status, 0) << made.err;
    return file;
  }
};

TEST_F(BrokenShardTest, RefusesRangesBeyondTheFile) {
  for (const auto& [kind, words] : std::vector<std::pair<std::string, std::string>>{
           {"virtual", "'input_ids' is virtual"},
           {"external", "'input_ids' has external storage"},
           {"link", "'input_ids' is a link into another file, /etc/passwd"},
           {"absurd", "'input_ids' is 1152921504606846976 x 16, more than a file of "}}) {
    const std::string file = make(kind);
    const Finished verified = bertprep({"verify", path(kind)});
    EXPECT_EQ(verified.exit_status, 1);
    EXPECT_THAT(verified.out, AllOf(HasSubstr(file), HasSubstr(words)));
    for (const char* command : {"hash", "inspect"}) {
      const Finished finished = bertprep({command, file});
      EXPECT_EQ(finished.exit_status, 1);
      EXPECT_THAT(finished.err, AllOf(HasSubstr(file), HasSubstr(words)));
    }
  }
}

TEST_F(BrokenShardTest, ASignalEndsALongRead) {
  const std::string file = make("endless");
  for (const Arguments& command :
       {Arguments{"verify", path("endless")}, {"hash", file}, {"inspect", file, "--rows", "0:60000000000"}}) {
    RunOptions options{.signal = SIGTERM, .after = std::chrono::seconds(1)};
    options.output = folder() / "out";
    const Finished finished = bertprep(command, options);
    EXPECT_TRUE(finished.exit_status == 143 || finished.signal == SIGTERM) << command[0] << finished.exit_status;
    EXPECT_LT(finished.duration, std::chrono::seconds(6)) << command[0];
    EXPECT_LT(finished.peak_memory_bytes, 200U << 20U) << command[0];
  }
}

TEST_F(ShardsTest, LostShardIsMadeAgain) {
  const FileTree before = read_tree(path("shards"));
  fs::remove(shard("sample_training_1"));
  const std::vector<std::string> texts = {path("text/sample_training_0.txt"), path("text/sample_training_1.txt"),
                                          path("text/sample_test_0.txt")};
  succeed(Arguments{"instances"} + texts + Arguments{"--vocab", vocab(), "-o", path("shards")});
  EXPECT_EQ(difference(before, read_tree(path("shards"))), "");
}

TEST_F(ShardsTest, ShardsOfTwoRecipesAreNotMixed) {
  const FileTree before = read_tree(path("shards"));
  const std::string text = folder().write("text/sample_test_9.txt", "One more.\nText shard.\n");
  const Arguments add = {"instances", text, "--vocab", vocab(), "--random-seed", "7", "-o", path("shards")};
  fail(1, add, {path("shards"), "finished dataset", "random-seed was '12345' and is '7'", "--force"});
  fail(1, add + Arguments{"--force"}, {path("shards"), "two recipes", "random-seed is 7"});
  EXPECT_EQ(difference(before, read_tree(path("shards"))), "");
}

TEST_F(ShardsTest, HashPrintsAllDatasetsAndTheFile) {
  const std::string out = succeed({"hash", path("shards")}).out;
  EXPECT_THAT(out, StartsWith("file\tdataset\tdtype\tshape\tsha256\nsample_test_0.hdf5\tinput_ids\t<i4\t"));
  EXPECT_THAT(out, ContainsRegex("sample_training_1.hdf5\tnext_sentence_labels\t\\|i1\t[0-9]+\t[0-9a-f]+\n"));
  const std::string size = std::to_string(fs::file_size(shard("sample_training_1")));
  EXPECT_THAT(out, HasSubstr("sample_training_1.hdf5\t*file*\t-\t" + size + "\t"));
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 1 + 3 * 7);
}

TEST_F(ShardsTest, HashAgreesWithH5py) {
  if (shared_folder().empty()) GTEST_SKIP() << "skipped: no golden data (set BERTPREP_SHARED to its folder)";
  if (std::system("/usr/bin/python3 -c 'import h5py' >/dev/null 2>&1") != 0) GTEST_SKIP() << "skipped: no h5py";
  const Finished script = run_program({"/usr/bin/python3", shared_folder() / "tools/hash_h5.py", path("shards")});
  ASSERT_EQ(script.exit_status, 0) << script.err;
  EXPECT_EQ(succeed({"hash", path("shards")}).out, script.out);
}

}  // namespace
}  // namespace bertprep::test
