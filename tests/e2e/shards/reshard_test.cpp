// reshard as a user runs it: doctor's advice fixes its findings.
#include "e2e/e2e_test.h"
#include "io/json.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class ReshardTest : public E2eTest {
 protected:
  void SetUp() override { succeed(run_sample()); }
  static Json manifest_in(const fs::path& folder) {
    return Json::parse(read_tree(folder).at("manifest.json"), "manifest.json");
  }
};

TEST_F(ReshardTest, FixesFindingsOfDoctor) {
  ASSERT_EQ(bertprep({"doctor", phase1(), "--for", "neuron", "--world-size", "8"}).exit_status, 1);
  const Finished finished = succeed(
      {"reshard", phase1(), "--shards", "8", "--equal-rows", "drop", "--rows-multiple-of", "16", "-o", path("equal")});
  EXPECT_THAT(finished.err, AllOf(HasSubstr("8 training shards with "), HasSubstr(" dropped")));
  EXPECT_EQ(succeed({"doctor", path("equal"), "--for", "neuron", "--world-size", "8", "--micro-batch", "16"}).out, "");
  succeed({"verify", path("equal")});
  EXPECT_THAT(bertprep({"compare", phase1(), path("equal")}).out, HasSubstr("test: "));
}

TEST_F(ReshardTest, ShufflesWithoutLosingARow) {
  succeed({"reshard", phase1(), "--shards", "3", "--shuffle-seed", "12", "-o", path("shuffled")});
  EXPECT_EQ(bertprep({"compare", phase1(), path("shuffled")}).exit_status, 1);
  succeed({"compare", "--any-order", phase1(), path("shuffled")});
  const Finished again =
      succeed({"reshard", phase1(), "--shards", "3", "--shuffle-seed", "12", "-o", path("shuffled"), "--json"});
  EXPECT_THAT(again.out, AllOf(HasSubstr("\"event\":\"resharded\""), HasSubstr("\"tasks_made\":0")));
}

// Counts from the rows of resharded shards equal those of the run that made them, except for random pieces that happen
// to be the token itself: in rows, they look like kept tokens.
TEST_F(ReshardTest, KeepsTheCountsOfTheRun) {
  succeed({"reshard", phase1(), "--shards", "3", "--shuffle-seed", "12", "-o", path("shuffled")});
  const Json before = manifest_in(phase1()).at("data");
  const Json after = manifest_in(path("shuffled")).at("data");
  for (const auto& [name, value] : before.members()) {
    if (name.ends_with("_shards") || name == "rows") continue;
    EXPECT_EQ(after.at(name).dump_line(), value.dump_line()) << name;
  }
  for (const auto& [name, value] : before.at("rows").members()) {
    const bool is_of_chance = name == "masked_as_same" || name == "masked_as_random";
    EXPECT_NEAR(std::stod(after.at("rows").at(name).text()), std::stod(value.text()), is_of_chance ? 1e-3 : 0) << name;
  }
  const Json& training = after.at("training_shards");
  EXPECT_EQ(training.at("shards").as_unsigned(), 3U);
  EXPECT_EQ(training.at("rows").dump_line(), before.at("training_shards").at("rows").dump_line());
  EXPECT_EQ(training.find("single_article"), nullptr);
  EXPECT_EQ(read_tree(path("shuffled")).at("vocab.txt"), read_tree(phase1()).at("vocab.txt"));
  EXPECT_EQ(manifest_in(path("shuffled")).at("vocabulary").dump_line(),
            manifest_in(phase1()).at("vocabulary").dump_line());
  succeed({"verify", path("shuffled")});
  EXPECT_THAT(succeed({"report", path("shuffled"), "-o", "-", "-q"}).out, HasSubstr("Words that became [UNK]"));
}

TEST_F(ReshardTest, CountsRowsOfASetWithoutAManifest) {
  fs::create_directories(folder() / "bare");
  for (const auto& entry : fs::directory_iterator(phase1())) {
    if (entry.path().extension() == ".hdf5") fs::copy_file(entry.path(), folder() / "bare" / entry.path().filename());
  }
  succeed({"reshard", path("bare"), "--shards", "2", "-o", path("out")});
  const Json before = manifest_in(phase1()).at("data").at("rows");
  const Json data = manifest_in(path("out")).at("data");
  EXPECT_EQ(data.find("articles"), nullptr);
  for (const char* name : {"tokens_per_row", "padding_share", "masks_per_row", "random_next_share"}) {
    EXPECT_EQ(data.at("rows").at(name).text(), before.at(name).text()) << name;
  }
  EXPECT_EQ(data.at("rows").find("masked_as_mask"), nullptr);
  EXPECT_THAT(succeed({"report", path("out"), "-o", "-", "-q"}).out, HasSubstr("has no counts of the text"));
}

TEST_F(ReshardTest, ResumesAfterAKill) {
  const Arguments command = {"reshard", phase1(), "--shards", "300", "-j", "1", "-o"};
  succeed(command + Arguments{path("whole")});
  const FileTree whole = read_tree(path("whole"));
  bool was_killed = false;
  for (int milliseconds = 5; milliseconds < 1500 && !was_killed; milliseconds *= 2) {
    fs::remove_all(path("killed"));
    fs::remove_all(path(".killed.bertprep"));
    RunOptions options{.signal = SIGKILL, .after = std::chrono::milliseconds(milliseconds)};
    options.output = folder() / "out";
    const Finished finished = bertprep(command + Arguments{path("killed")}, options);
    was_killed = finished.signal == SIGKILL && fs::exists(path(".killed.bertprep"));
  }
  ASSERT_TRUE(was_killed);
  EXPECT_FALSE(fs::exists(path("killed/manifest.json")));
  succeed(command + Arguments{path("killed")});
  EXPECT_EQ(difference(whole, read_tree(path("killed"))), "");
  EXPECT_TRUE(fs::is_empty(path(".killed.bertprep/partial")));
}

TEST_F(ReshardTest, LosesNothingThatTheManifestNames) {
  const auto copy = [&](const std::string& name) {
    fs::copy(phase1(), path(name));
    return path(name);
  };
  const std::string gap = copy("gap");
  fs::remove(gap + "/sample_training_1.hdf5");
  fail(1, {"reshard", gap, "-o", path("out")}, {"gap/sample_training_1.hdf5: is missing", "move manifest.json away"});
  fs::remove(gap + "/manifest.json");
  succeed({"reshard", gap, "-o", path("without-one")});

  const std::string damaged = copy("damaged");
  fs::resize_file(damaged + "/manifest.json", 300);
  fail(1, {"reshard", damaged, "-o", path("out")}, {"damaged/manifest.json: is damaged", "restore it"});
  folder().write("damaged/manifest.json", "{\"of\": \"another program\"}");
  succeed({"reshard", damaged, "-o", path("of-another")});

  const std::string other = copy("other");
  folder().write("other/vocab.txt", "mine");
  fail(1, {"reshard", other, "-o", path("out")}, {"other/vocab.txt: is not the vocabulary of the shards"});
  EXPECT_FALSE(fs::exists(path("out")));
}

TEST_F(ReshardTest, RefusesTheSameRowsUnderAnotherName) {
  succeed({"reshard", phase1(), "-o", path("out")});
  const FileTree before = read_tree(path("out"));
  for (const Arguments& more : {Arguments{}, Arguments{"--force"}}) {
    fail(1, Arguments{"reshard", phase1(), "--name", "again", "-o", path("out")} + more, {"shards of another name"});
  }
  EXPECT_EQ(difference(before, read_tree(path("out"))), "");
}

TEST_F(ReshardTest, SaysWhichOptionIsWrong) {
  fail(2, {"reshard", phase1(), "--shuffle-seed", "x", "-o", path("out")}, {"--shuffle-seed 'x'"});
  fs::create_directories(folder() / "training");
  fs::copy_file(phase1() / "sample_training_0.hdf5", folder() / "training/a.hdf5");
  fail(2, {"reshard", path("training"), "--test-shards", "2", "-o", path("out")}, {"leave out --test-shards"});
}

TEST_F(ReshardTest, RefusesItsInput) {
  fail(2, {"reshard", phase1(), "-o", phase1()}, {"in a folder of the input"});
  fail(1, {"reshard", path("root"), "-o", path("out")}, {"holds no .hdf5 or .h5 file"});
  fail(2, {"reshard", phase1(), "--equal-rows", "some", "-o", path("out")}, {"--equal-rows"});
}

}  // namespace
}  // namespace bertprep::test
