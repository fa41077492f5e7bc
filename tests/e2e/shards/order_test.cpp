// bertprep order: the rows in the order of training.
#include <algorithm>
#include <set>
#include <sstream>

#include "e2e/e2e_test.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;

class OrderTest : public E2eTest {
 protected:
  void SetUp() override { succeed(run_sample() + Arguments{"--phase", "1", "-q"}); }

  // The lines under the header.
  std::vector<std::string> printed(const Arguments& options) {
    std::istringstream text(succeed(Arguments{"order", phase1().string()} + options).out);
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    lines.erase(lines.begin());
    return lines;
  }
};

TEST_F(OrderTest, ContinuesFromAnyPlaceIntoTheNextEpoch) {
  const std::vector<std::string> all = printed({"--rows", "4000"});
  ASSERT_EQ(all.size(), 4000U);
  const auto rows = static_cast<std::size_t>(std::count_if(
      all.begin(), all.end(), [](const std::string& line) { return line.find("\t0\tsample") != std::string::npos; }));
  EXPECT_LT(rows, 2000U);
  std::set<std::string> places;
  for (std::size_t i = 0; i < rows; ++i) places.insert(all[i].substr(all[i].find("sample")));
  EXPECT_EQ(places.size(), rows);
  const std::vector<std::string> second = printed({"--epoch", "1", "--position", "5", "--rows", "20"});
  EXPECT_TRUE(std::equal(second.begin(), second.end(), all.begin() + static_cast<std::ptrdiff_t>(rows) + 5));
  EXPECT_EQ(printed({"--position", std::to_string(rows + 5), "--rows", "20"}), second);
  EXPECT_NE(printed({"--seed", "1", "--epoch", "1", "--position", "5", "--rows", "20"}), second);
  EXPECT_NE(printed({"--order", "v1", "--epoch", "1", "--position", "5", "--rows", "20"}), second);
}

TEST_F(OrderTest, NamesStepAndProcess) {
  const std::vector<std::string> lines =
      printed({"--order", "none", "--position", "6", "--rows", "4", "--batch-size", "8", "--world-size", "4"});
  EXPECT_THAT(lines,
              testing::ElementsAre("6\t0\tsample_training_0.hdf5\t6\t1\t3", "7\t0\tsample_training_0.hdf5\t7\t1\t3",
                                   "8\t0\tsample_training_0.hdf5\t8\t2\t0", "9\t0\tsample_training_0.hdf5\t9\t2\t0"));
  EXPECT_EQ(printed({"--test", "--order", "none", "--rows", "1"}).front(), "0\t0\tsample_test_0.hdf5\t0");
}

TEST_F(OrderTest, TakesTokenSequencesToo) {
  make_blocks(64, "blocks");
  const std::string rows = succeed({"order", path("blocks/sample"), "--order", "none", "--rows", "1"}).out;
  EXPECT_THAT(rows, testing::HasSubstr("0\t0\tsample_training_0.hdf5\t0"));
}

TEST_F(OrderTest, RefusesInvalidPositions) {
  const std::string folder = phase1().string();
  fail(2, {"order", folder, "--world-size", "2"}, {"give --batch-size"});
  fail(2, {"order", folder, "--batch-size", "9", "--world-size", "2"}, {"can't be split evenly", "a multiple of 2"});
  fail(2, {"order", folder, "--batch-size", "0"}, {"--batch-size: is 0, it must be at least 1"});
  fail(2, {"order", folder, "--seed", "-1"}, {"--seed", "must not be negative"});
  fail(2, {"order", folder, "--epoch", "18446744073709551615"}, {"beyond position 2^64 - 1"});
  fail(2, {"order", path("")}, {"contains no shard with 'training'"});
}

}  // namespace
}  // namespace bertprep::test
