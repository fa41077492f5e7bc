#include "bertprep/trainer/process_group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bertprep/base/error.h"
#include "trainer/distributed/allreduce_bench.h"

namespace bertprep::test {
namespace {

using testing::ElementsAre;

TEST(ProcessGroup, PartsAreAsEqualAsCanBe) {
  EXPECT_THAT(equal_parts(10, 4), ElementsAre(3U, 3U, 2U, 2U));
  EXPECT_THAT(equal_parts(2, 3), ElementsAre(1U, 1U, 0U));
}

TEST(ProcessGroup, ALoneProcessKeepsWhatItHas) {
  const auto alone = lone_process();
  EXPECT_EQ(alone->rank(), 0U);
  EXPECT_EQ(alone->size(), 1U);
  std::vector<float> values{1, 2, 3};
  all_reduce(*alone, values);
  EXPECT_THAT(values, ElementsAre(1, 2, 3));
  EXPECT_EQ(broadcast_text(*alone, "text"), "text");
}

TEST(AllreduceBench, TakesEverySizeAndSeesRightValues) {
  const auto alone = lone_process();
  std::vector<std::uint64_t> sizes;
  AllreduceBenchOptions options{.first_bytes = "4", .last_bytes = "1K", .step_factor = 4, .repetitions = 2};
  allreduce_bench(*alone, options, [&](const AllreduceRow& row) {
    sizes.push_back(row.bytes);
    EXPECT_EQ(row.out_of_place.wrong + row.in_place.wrong, 0U);
    EXPECT_GT(row.in_place.seconds, 0);
  });
  EXPECT_THAT(sizes, ElementsAre(4U, 16U, 64U, 256U, 1024U));
}

TEST(AllreduceBench, RefusesInvalidSizes) {
  const auto alone = lone_process();
  for (const char* wrong : {"", "M", "8X", "8MX", "-8", "99999999999G", "2"}) {
    AllreduceBenchOptions options{.first_bytes = "4", .last_bytes = wrong};
    EXPECT_THROW(allreduce_bench(*alone, options, [](const AllreduceRow&) {}), ConfigError) << wrong;
  }
}

}  // namespace
}  // namespace bertprep::test
