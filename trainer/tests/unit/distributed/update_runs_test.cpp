#include "trainer/distributed/update_runs.h"

#include <gtest/gtest.h>

#include <map>

#include "base/random.h"

namespace bertprep::test {
namespace {

TEST(UpdateRuns, CutTensorsOneByOne) {
  const auto runs = runs_by_tensor({{10, true}, {3, false}}, 4);
  ASSERT_EQ(runs.size(), 4U);
  EXPECT_EQ(runs[2].begin, 8);
  EXPECT_EQ(runs[2].count, 2);
  EXPECT_EQ(runs[3].norm_group, 1U);
  EXPECT_EQ(norm_groups(runs), 2U);
}

// DeepSpeed's rule, value by value: flatten the tensors of a kind, pad to a multiple of 2 x processes, cut evenly.
std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> plain_groups(const std::vector<TensorSize>& tensors,
                                                                             std::int64_t processes) {
  std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> groups;
  for (const bool decays : {true, false}) {
    std::vector<std::pair<std::uint32_t, std::int64_t>> flat;
    for (std::uint32_t i = 0; i < tensors.size(); ++i) {
      for (std::int64_t k = 0; tensors[i].decays == decays && k < tensors[i].values; ++k) flat.emplace_back(i, k);
    }
    std::size_t padded = flat.size();
    while (padded % static_cast<std::size_t>(2 * processes) != 0) ++padded;
    for (std::size_t i = 0; i < flat.size(); ++i) {
      const std::size_t part = i / (padded / static_cast<std::size_t>(processes));
      groups[flat[i]] = static_cast<std::uint32_t>(part + (decays ? 0U : static_cast<std::size_t>(processes)));
    }
  }
  return groups;
}

TEST(UpdateRuns, PartitionsAreThoseOfDeepSpeed) {
  Random random("7");
  for (int round = 0; round < 50; ++round) {
    std::vector<TensorSize> tensors(1 + random.below(6));
    for (TensorSize& tensor : tensors) {
      tensor = {static_cast<std::int64_t>(1 + random.below(60)), random.below(2) == 0};
    }
    const auto processes = static_cast<std::int64_t>(1 + random.below(5));
    const auto expected = plain_groups(tensors, processes);
    std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> groups;
    for (const UpdateRun& run : runs_by_partition(tensors, processes, 7)) {
      EXPECT_LE(run.count, 7);
      for (std::int64_t k = run.begin; k < run.begin + run.count; ++k) {
        EXPECT_TRUE(groups.emplace(std::pair(run.tensor, k), run.norm_group).second);
      }
    }
    EXPECT_EQ(groups, expected);
  }
}

}  // namespace
}  // namespace bertprep::test
