// doctor as a user runs it: on the shards of a run, on the zoo of broken sets, and on files that h5py makes.
#include <sys/stat.h>

#include <fstream>
#include <sstream>

#include "e2e/e2e_test.h"
#include "support/json_lines.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class DoctorTest : public E2eTest {
 protected:
  // A set that h5py makes, by broken_shard.py: two files.
  std::string make(const std::string& kind) {
    fs::create_directories(folder() / kind);
    for (const char* file : {"x_training_0.hdf5", "x_training_1.hdf5"}) {
      const Finished made = run_program(
          {"/usr/bin/python3", source_folder() / "tests/e2e/shards/broken_shard.py", kind, folder() / kind / file});
      EXPECT_EQ(made.exit_status, 0) << made.err;
    }
    return path(kind);
  }
};

TEST_F(DoctorTest, ShardsOfARunAreFitForThoseWhoTakeUnequalOnes) {
  succeed(run_sample());
  for (const char* trainer : {"nvidia", "berttrain"}) {
    const Finished finished = succeed({"doctor", phase1(), "--for", trainer, "--world-size", "2"});
    EXPECT_EQ(finished.out, "");
    EXPECT_THAT(finished.err, HasSubstr("4 for training"));
    EXPECT_THAT(finished.err, HasSubstr("nothing found"));
  }
  const Finished neuron = bertprep({"doctor", phase1(), "--for", "neuron", "--world-size", "2"});
  EXPECT_EQ(neuron.exit_status, 1);
  EXPECT_THAT(neuron.out,
              AllOf(HasSubstr("(unequal-rows)\n  hang: neuron: "), HasSubstr("\n  fix: bertprep reshard ")));
  // The documentation shows how to map them; another tool's set may hold anything.
  const Finished huggingface = succeed({"doctor", phase1(), "--for", "huggingface"});
  EXPECT_THAT(huggingface.out, AllOf(HasSubstr("(mapped-columns"), HasSubstr("feed-other-trainers.md")));
  EXPECT_THAT(huggingface.err, HasSubstr("opened in each worker process"));
}

TEST_F(DoctorTest, LooksAtTheDatasetsBelowARoot) {
  succeed(run_sample());
  const Finished finished = succeed({"doctor", path("root"), "--for", "nvidia"});
  EXPECT_THAT(finished.out, AllOf(HasSubstr("root: holds no shard itself; 2 folders below it do (datasets-below)"),
                                  HasSubstr("\n  remark: nvidia: ")));
  EXPECT_THAT(finished.err, HasSubstr(phase1().string() + ": 6 files, 4 for training"));
  fs::remove(phase1() / "manifest.json");
  const Finished others = bertprep({"doctor", path("root"), "--for", "nvidia"});
  EXPECT_EQ(others.exit_status, 1);
  EXPECT_THAT(others.out, HasSubstr("(folder-level)"));
}

TEST_F(DoctorTest, KnowsFilesOfOneDocument) {
  std::ofstream text(folder() / "three.txt");
  for (int document = 0; document < 3; ++document) {
    for (int sentence = 0; sentence < 40; ++sentence) text << "The cat number " << sentence << " sat on a mat.\n";
    text << "\n";
  }
  text.close();
  succeed({"run", "--input", path("three.txt"), "--name", "three", "--vocab", vocab(), "--sentences", "lines",
           "--phase", "1", "--train-shards", "2", "--test-shards", "1", "-o", path("root")});
  const fs::path shards = fs::directory_iterator(path("root"))->path() / "three";
  EXPECT_THAT(bertprep({"doctor", shards}).out, HasSubstr("was made from one document (one-document; 2 files)"));
}

TEST_F(DoctorTest, ReportsEventsWhenRequested) {
  succeed(run_sample());
  std::ofstream(phase1() / "sample_training_0.md5") << "abc";
  const Finished finished = bertprep({"doctor", phase1(), "--for", "nvidia", "--json"});
  EXPECT_EQ(finished.exit_status, 1);
  std::istringstream lines(finished.out);
  std::string events;
  for (std::string line; std::getline(lines, line);) {
    const auto event = parse_json(line);
    events += event.at("event").text + " ";
    if (event.at("event").text != "finding") continue;
    EXPECT_EQ(event.at("trap").text, "side-file");
    EXPECT_EQ(event.at("severity").text, "crash late");
    EXPECT_EQ(event.at("file").text, "sample_training_0.md5");
  }
  EXPECT_EQ(events, "begin end finding diagnosed ");
}

TEST_F(DoctorTest, RefusesUnknownFormats) {
  fail(2, {"doctor", path(""), "--for", "nobody"}, {"--for nobody", "nvidia, habana, neuron, huggingface, berttrain"});
  fail(1, {"doctor", path("absent")}, {path("absent"), "No such file"});
  fail(1, {"doctor", path("")}, {"contains no HDF5 file"});
}

TEST_F(DoctorTest, AcceptsFilesOfH5py) {
  if (std::system("/usr/bin/python3 -c 'import h5py' >/dev/null 2>&1") != 0) GTEST_SKIP() << "skipped: no h5py";
  for (const char* kind : {"boolean", "wide", "huggingface"}) {
    EXPECT_EQ(succeed({"doctor", make(kind)}).out, "") << kind;
  }
  fail(1, {"compare", path("wide"), make("text-mask")}, {"'input_mask' does not hold integers"});
  for (const auto& [kind, words] : std::vector<std::pair<std::string, std::string>>{
           {"short-labels", "next_sentence_labels is 299, but input_ids is 300 x 16 (first-dimensions; 2 files)"},
           {"no-mask", "has no input_mask (missing-columns; 2 files)"},
           {"text-mask", "does not hold integers of 8, 16, 32 or 64 bits (unreadable-column; 2 files)"},
           {"minus-one", "labels[0] is -1, expected an id or -100 (label-values; 600 rows in 2 files)"}}) {
    const Finished finished = bertprep({"doctor", make(kind)});
    EXPECT_EQ(finished.exit_status, 1) << kind;
    EXPECT_THAT(finished.out, HasSubstr(words));
  }
}

// A set of the zoo: folder and trap.
using ZooCase = std::pair<std::string, std::string>;

TEST_F(DoctorTest, FindsEveryBrokenSetOfTheZoo) {
  const fs::path zoo = shared_folder() / "goldens/outputs/zoo";
  if (shared_folder().empty() || !fs::is_directory(zoo)) {
    GTEST_SKIP() << "skipped: no zoo of broken sets (set BERTPREP_SHARED to the folder with goldens/outputs/zoo)";
  }
  EXPECT_EQ(succeed({"doctor", zoo / "00-sound"}).out, "");
  for (const auto& [set, trap] : {ZooCase{"01-one-file", "one-file"},
                                  {"03-side-file", "side-file"},
                                  {"04-unequal-rows", "unequal-rows"},
                                  {"05-leading-zero", "zero-position"},
                                  {"07-padding-not-0", "padding"},
                                  {"08-all-random", "label-share"},
                                  {"11-id-too-large", "vocabulary-too-small"},
                                  {"12-two-lengths", "row-lengths"},
                                  {"13-first-dimension", "first-dimensions"},
                                  {"17-truncated-hdf5", "damaged-file"},
                                  {"22-tokens-column", "column-name"},
                                  {"25-only-zstd", "only-compressed"},
                                  {"27-truncated-mds", "damaged-shard"},
                                  {"28-index-counts-more", "sample-count"},
                                  {"29-index-half", "broken-index"},
                                  {"31-merged-too-deep", "missing-shards"},
                                  {"43-wrong-type", "type-code"},
                                  {"44-bin-cut", "ids-size"},
                                  {"49-negative-offset", "offsets"},
                                  {"51-open-document", "document-ends"},
                                  {"61-digest-differs", "other-digest"}}) {
    const Finished finished = bertprep({"doctor", zoo / set});
    EXPECT_EQ(finished.exit_status, 1) << set;
    EXPECT_THAT(finished.out, HasSubstr("(" + trap)) << set;
    EXPECT_THAT(finished.err, HasSubstr(", 1 finding")) << set << " has one fault\n" << finished.out;
  }
  // If one shard is read twice, another is never read; documents without ends are for neither BERT nor GPT.
  EXPECT_THAT(bertprep({"doctor", zoo / "32-doubled-names"}).out,
              AllOf(HasSubstr("(shard-twice)"), HasSubstr("(unlisted-shards)")));
  EXPECT_THAT(bertprep({"doctor", zoo / "45-document-level", "--for", "megatron-bert"}).out,
              HasSubstr("(one-sentence)"));
  EXPECT_EQ(bertprep({"doctor", zoo / "45-document-level"}).exit_status, 1);
}

TEST_F(DoctorTest, AcceptsFilesOfOtherWriters) {
  const fs::path goldens = shared_folder() / "goldens/outputs";
  if (shared_folder().empty() || !fs::is_directory(goldens)) {
    GTEST_SKIP() << "skipped: no goldens (set BERTPREP_SHARED to the folder with goldens/outputs)";
  }
  for (const auto& entry : fs::directory_iterator(goldens / "mds")) {
    const std::string name = entry.path().filename();
    if (!entry.is_directory() || name == "no-samples" || name == "zstd") continue;
    EXPECT_EQ(succeed({"doctor", entry.path() / "expected"}).out, "") << name;
  }
  EXPECT_THAT(bertprep({"doctor", goldens / "mds/no-samples/expected"}).out, HasSubstr("(no-samples)"));
  EXPECT_THAT(bertprep({"doctor", goldens / "mds/zstd/expected"}).out, HasSubstr("(only-compressed; 4 files)"));
  for (const auto& entry : fs::directory_iterator(goldens / "megatron")) {
    const std::string name = entry.path().filename();
    if (!entry.is_directory() || name == "document-int32") continue;  // without ends of documents
    EXPECT_EQ(succeed({"doctor", entry.path()}).out, "") << name;
  }
}

TEST_F(DoctorTest, JudgesSequencesByTheirTokenizerAndManifest) {
  const Arguments texts = make_text_shards();
  for (const std::string trainer : {"modernbert", "bioclinical", "eurobert", "megatron-bert", "megatron-gpt", "gpt2"}) {
    const bool is_blocks = trainer == "gpt2" || trainer == "eurobert";
    succeed(Arguments{"sequences"} + texts +
            Arguments{"--vocab", vocab(), "--name", "c", "--for", trainer, "-o", path(trainer)} +
            (is_blocks ? Arguments{"--blocks", "32"} : Arguments()));
    EXPECT_EQ(succeed({"doctor", path(trainer)}).out, "") << trainer;
    EXPECT_EQ(succeed({"doctor", path(trainer), "--for", trainer}).out, "") << trainer;
  }
  EXPECT_THAT(bertprep({"doctor", path("modernbert"), "--for", "modernbert", "--max-tokens", "16"}).out,
              HasSubstr("(long-rows"));
  EXPECT_THAT(bertprep({"doctor", path("modernbert"), "--for", "modernbert", "--split", "val"}).out,
              HasSubstr("has no folder 'val', but 'train' (split-name)"));
  EXPECT_THAT(bertprep({"doctor", path("modernbert"), "--for", "nvidia"}).out, HasSubstr("(other-format)"));
  // With the tokenizer next to the set, ids of another one are detected.
  fs::copy(path("megatron-gpt/tokenizer"), path("kept"), fs::copy_options::recursive);
  folder().write("modernbert/tokenizer/vocab.txt", "[PAD]\n[UNK]\n[SEP]\n[CLS]\n[MASK]\nthe\n");
  const std::string other = bertprep({"doctor", path("modernbert/train")}).out;
  EXPECT_THAT(other, AllOf(HasSubstr("(special-ids"), HasSubstr("(vocabulary-too-small")));
  EXPECT_EQ(succeed({"doctor", path("modernbert/train"), "--vocab", vocab()}).out, "");
  // The manifest has the .bin of this run.
  const std::string file = path("megatron-bert/c_train_text_sentence.bin");
  std::string bytes = read_bytes(file);
  std::swap(bytes[0], bytes[2]);
  std::swap(bytes[1], bytes[3]);
  folder().write("megatron-bert/c_train_text_sentence.bin", bytes);
  EXPECT_THAT(bertprep({"doctor", path("megatron-bert/c_train_text_sentence")}).out,
              HasSubstr("its .bin has another sha256 than the manifest says (other-digest)"));
}

TEST_F(DoctorTest, WaitsForNoPipe) {
  fs::create_directories(path("set"));
  for (const std::string name : {"a.hdf5", "shard.00000.mds", "b.idx", "b.bin"}) {
    ASSERT_EQ(::mkfifo(path("set/" + name).c_str(), 0600), 0);
  }
  for (const std::string name : {"set", "set/a.hdf5", "set/shard.00000.mds", "set/b"}) {
    for (const std::string command : {"doctor", "verify", "inspect", "hash", "reindex"}) {
      EXPECT_EQ(bertprep({command, path(name)}).exit_status, 1) << command << " " << name;
    }
  }
}

TEST_F(DoctorTest, FollowingTheAdviceFixesTheSet) {
  const Arguments texts = make_text_shards();
  for (const std::string trainer : {"modernbert", "megatron-bert"}) {
    succeed(Arguments{"sequences"} + texts +
            Arguments{"--vocab", vocab(), "--name", "c", "--for", trainer, "-o", path(trainer)});
  }
  const auto fixed = [&](const std::string& set) {
    const Finished finished = bertprep({"doctor", path(set)});
    const std::size_t at = finished.out.find("fix: bertprep reindex ");
    EXPECT_NE(at, std::string::npos) << finished.out;
    succeed({"reindex", path(set)});
    return bertprep({"doctor", path(set)}).out;
  };
  EXPECT_THAT(succeed({"reindex", path("modernbert/train")}).err, HasSubstr("was already right"));
  folder().write("modernbert/train/index.json", "{");
  EXPECT_EQ(fixed("modernbert/train"), "");
  fs::remove(path("modernbert/train/index.json"));
  EXPECT_EQ(fixed("modernbert/train"), "");
  succeed({"verify", path("modernbert")});
  const std::string idx = path("megatron-bert/c_train_text_sentence.idx");
  const std::string sound = read_bytes(idx);
  std::string broken = sound;
  broken[17] = 4;
  folder().write("megatron-bert/c_train_text_sentence.idx", broken);
  EXPECT_THAT(fixed("megatron-bert/c_train_text_sentence"), Not(HasSubstr("type-code")));
  EXPECT_EQ(read_bytes(idx), sound);
  succeed({"verify", path("megatron-bert")});
}

}  // namespace
}  // namespace bertprep::test
