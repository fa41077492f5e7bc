#include "pipeline/stages/instance_stage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "bertprep/base/error.h"
#include "bertprep/pipeline/pipeline_options.h"

namespace bertprep {
namespace {

constexpr std::uint64_t kMegabyte = 1 << 20;

TEST(MemoryPlan, TakesAllThreadsWhereTheyFit) {
  EXPECT_EQ(threads_within(4096 * kMegabyte, 10 * kMegabyte, 8), 8u);
}

TEST(MemoryPlan, TakesFewerThreadsWhereTheyDoNot) {
  EXPECT_EQ(threads_within(264 * kMegabyte, 100 * kMegabyte, 8), 2u);
}

TEST(MemoryPlan, RefusesAShardThatDoesNotFitAlone) {
  try {
    threads_within(100 * kMegabyte, 100 * kMegabyte, 8);
    FAIL();
  } catch (const FormatError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("needs about 165 MiB, `memory` allows 100"));
  }
}

TEST(MemoryPlan, MoreCopiesNeedMoreMemory) {
  InstanceOptions once;
  once.dupe_factor = 1;
  EXPECT_LT(shard_memory_bytes(18'000'000, once), shard_memory_bytes(18'000'000, {}));
}

TEST(MemoryPlan, RefusesMoreCopiesThanCanBeCounted) {
  InstanceOptions most;
  most.dupe_factor = std::numeric_limits<std::int64_t>::max();
  for (const std::uint64_t text_bytes : {100, 17'000, 20'000'000}) {
    EXPECT_THROW(threads_within(std::uint64_t{1} << 50, shard_memory_bytes(text_bytes, most), 8), FormatError);
  }
}

TEST(MemoryBytes, ReadsAmountsAsPeopleWriteThem) {
  EXPECT_EQ(memory_bytes("300M"), 300 * kMegabyte);
  EXPECT_EQ(memory_bytes("1.5G"), 1536 * kMegabyte);
  EXPECT_EQ(memory_bytes("4096"), 4096u);
  EXPECT_GT(memory_bytes("50%"), memory_bytes("25%"));
  for (const char* text : {"", "M", "-1G", "0", "3 apples", "10X"})
    EXPECT_THROW(memory_bytes(text), ConfigError) << text;
}

}  // namespace
}  // namespace bertprep
