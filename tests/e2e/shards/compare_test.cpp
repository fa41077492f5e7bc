// compare as a user runs it.
#include "e2e/e2e_test.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;

class CompareTest : public E2eTest {
 protected:
  // The shards of a run with additional options.
  std::string run(const std::string& root, const Arguments& more = {}) {
    succeed(run_sample(root, root + "-work") + more);
    fs::path shards;
    for (const auto& entry : fs::recursive_directory_iterator(path(root))) {
      if (entry.path().filename() == "manifest.json") shards = entry.path().parent_path();
    }
    return shards.string();
  }
};

TEST_F(CompareTest, TwoLayoutsHoldTheSameRows) {
  const Finished finished = succeed({"compare", run("a"), run("b", {"--layout", "reference"})});
  EXPECT_THAT(finished.out, ContainsRegex("^training: [0-9]+ rows, the same\ntest: [0-9]+ rows, the same\n"
                                          "option layout: rows and reference\n$"));
}

TEST_F(CompareTest, AnotherSeedGivesOtherRows) {
  const std::string a = run("a");
  const std::string b = run("b", {"--random-seed", "7"});
  const Finished finished = bertprep({"compare", a, b});
  EXPECT_EQ(finished.exit_status, 1);
  EXPECT_THAT(finished.out, AllOf(HasSubstr(" % in common\n  first difference: sample_training_0.hdf5: row 0 and "),
                                  HasSubstr("option random-seed: 12345 and 7\n")));
  EXPECT_EQ(bertprep({"compare", a, b, "--any-order"}).exit_status, 1);
  fail(1, {"compare", a, path("a")}, {"contains no HDF5 file", "give one below it"});
}

}  // namespace
}  // namespace bertprep::test
