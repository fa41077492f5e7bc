// doctor as a user runs it: on the shards of a run, on the zoo of broken sets, and on files that h5py makes.
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
  // A set that h5py makes, as broken_shard.py knows it: two files.
  std::string make(const std::string& kind) {
    fs::create_directories(folder() / kind);
    for (const char* file : {"x_training_0.hdf5", "x_training_1.hdf5"}) {
      const Finished made = run_program(
          {"/usr/bin/python3", source_folder() / "tests/e2e/broken_shard.py", kind, folder() / kind / file});
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
              AllOf(HasSubstr("(unequal-rows)\n  hang: neuron: "), HasSubstr("\n  mend: bertprep reshard ")));
  const Finished huggingface = bertprep({"doctor", phase1(), "--for", "huggingface"});
  EXPECT_THAT(huggingface.out, HasSubstr("(dropped-columns"));
  EXPECT_THAT(huggingface.err, HasSubstr("opened in each worker process"));
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
  EXPECT_THAT(bertprep({"doctor", shards}).out, HasSubstr("was made of one document (one-document; 2 files)"));
}

TEST_F(DoctorTest, ReportsEventsWhenAsked) {
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

TEST_F(DoctorTest, RefusesWhatItDoesNotKnow) {
  fail(2, {"doctor", path(""), "--for", "nobody"}, {"--for nobody", "nvidia, habana, neuron, huggingface, berttrain"});
  fail(1, {"doctor", path("absent")}, {path("absent"), "No such file"});
  fail(1, {"doctor", path("")}, {"contains no HDF5 file"});
}

TEST_F(DoctorTest, TakesWhatH5pyMakes) {
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

// Of the sets of the zoo: folder, and the trap.
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
                                  {"17-truncated-hdf5", "damaged-file"}}) {
    const Finished finished = bertprep({"doctor", zoo / set});
    EXPECT_EQ(finished.exit_status, 1) << set;
    EXPECT_THAT(finished.out, HasSubstr("(" + trap)) << set;
    EXPECT_THAT(finished.err, HasSubstr(", 1 finding")) << set << " has one fault\n" << finished.out;
  }
}

}  // namespace
}  // namespace bertprep::test
