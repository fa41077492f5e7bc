// reshard as a user runs it: what doctor advises mends what it finds.
#include "e2e/e2e_test.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class ReshardTest : public E2eTest {
 protected:
  void SetUp() override { succeed(run_sample()); }
};

TEST_F(ReshardTest, MendsWhatDoctorFinds) {
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

TEST_F(ReshardTest, FinishesWhatWasKilled) {
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

TEST_F(ReshardTest, RefusesItsInput) {
  fail(2, {"reshard", phase1(), "-o", phase1()}, {"in a folder of the input"});
  fail(1, {"reshard", path("root"), "-o", path("out")}, {"holds no .hdf5 or .h5 file"});
  fail(2, {"reshard", phase1(), "--equal-rows", "some", "-o", path("out")}, {"--equal-rows"});
}

}  // namespace
}  // namespace bertprep::test
