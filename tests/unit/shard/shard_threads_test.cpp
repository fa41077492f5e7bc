// Workers write and read separate files at the same time.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "support/temp_folder.h"
#include "unit/shard/shard_rows.h"

namespace bertprep {
namespace {

TEST(ShardThreads, WriteAndReadTheirOwnFiles) {
  const test::TempFolder temp;
  std::atomic<int> equal = 0;
  const auto work = [&](std::uint32_t worker) {
    const ShardShape shape{600, 64, 10};
    const Batch rows = test::valid_rows(shape, worker);
    for (int round = 0; round < 5; ++round) {
      const auto path = temp / (std::to_string(worker) + ".hdf5");
      test::write_shard(path, shape, rows, round % 2 == 0 ? "rows" : "reference");
      equal += test::same_rows(test::read_shard(path), rows) ? 1 : 0;
    }
  };
  std::vector<std::thread> workers;
  for (std::uint32_t worker = 0; worker < 4; ++worker) workers.emplace_back(work, worker);
  for (std::thread& worker : workers) worker.join();
  EXPECT_EQ(equal, 20);
}

}  // namespace
}  // namespace bertprep
