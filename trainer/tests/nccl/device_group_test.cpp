// trainer/distributed/nccl.cpp over the stand-in for NCCL and CUDA: streams do their work late, or never.
#include "trainer/distributed/device_group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "bertprep/base/error.h"
#include "stand_in/collectives.h"
#include "stand_in/streams.h"
#include "thread_group.h"
#include "trainer/distributed/allreduce_bench.h"

namespace bertprep::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::size_t kMany = 40000;  // more than the stand-in exchanges at once

// Of the rank: 1, 2, 3, ... times rank + 1.
std::vector<float> own_values(const ProcessGroup& processes, std::size_t count = kMany) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 1.0F);
  for (float& value : values) value *= static_cast<float>(processes.rank() + 1);
  return values;
}

// The factor of all sums relative to 1, 2, 3, ...
float sum_of_ranks(const ProcessGroup& processes) {
  return static_cast<float>(processes.size() * (processes.size() + 1)) / 2;
}

void with_devices(std::size_t count, const std::function<void(ProcessGroup&, DeviceGroup&)>& body) {
  run_as_processes(count, [&](ProcessGroup& processes) {
    const auto devices = join_device_group(processes, static_cast<int>(processes.rank_here()));
    body(processes, *devices);
  });
}

class DeviceGroupTest : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Processes, DeviceGroupTest, testing::Values(1, 2, 3));

TEST_P(DeviceGroupTest, AddsUpInPlaceAndApart) {
  with_devices(GetParam(), [](ProcessGroup& processes, DeviceGroup& devices) {
    std::vector<float> values = own_values(processes);
    std::vector<float> sums(kMany);
    devices.all_reduce(values.data(), sums.data(), kMany);
    devices.all_reduce(values.data(), values.data(), kMany);
    EXPECT_EQ(sums[1], 0);  // queued
    devices.join();
    devices.wait();
    EXPECT_EQ(sums, values);
    for (std::size_t i = 0; i < kMany; i += 997)
      EXPECT_EQ(sums[i], static_cast<float>(i + 1) * sum_of_ranks(processes));
    EXPECT_GE(devices.waited_seconds(), 0);
  });
}

TEST_P(DeviceGroupTest, PartsAreThoseOfProcessGroup) {
  for (const bool equal : {true, false}) {
    with_devices(GetParam(), [equal](ProcessGroup& processes, DeviceGroup& devices) {
      std::vector<std::size_t> parts(processes.size(), kMany / processes.size());
      // With three parts, the first is empty.
      if (!equal && parts.size() > 1) parts.back() += std::exchange(parts.front(), parts.size() == 3 ? 0 : 7);
      const std::size_t count = std::accumulate(parts.begin(), parts.end(), std::size_t{0});
      std::vector<float> expected = own_values(processes, count);
      std::vector<float> values = expected;
      devices.reduce_scatter(values.data(), parts);
      devices.join();
      devices.wait();
      processes.reduce_scatter(expected, parts);
      EXPECT_EQ(values, expected);
      devices.all_gather(values.data(), parts);
      devices.join();
      devices.wait();
      processes.all_gather(expected, parts);
      EXPECT_EQ(values, expected);
    });
  }
}

TEST_P(DeviceGroupTest, ProcessZeroSendsToAll) {
  with_devices(GetParam(), [](ProcessGroup& processes, DeviceGroup& devices) {
    std::vector<float> values = own_values(processes, 3);
    devices.broadcast(values.data(), values.size());
    devices.join();
    devices.wait();
    EXPECT_THAT(values, ElementsAre(1, 2, 3));
  });
}

TEST(DeviceGroup, WaitsForTheDefaultStream) {
  with_devices(2, [](ProcessGroup&, DeviceGroup& devices) {
    std::vector<float> values(5, 0);
    std::vector<float> doubled(5, 0);
    put_default_stream_off(true);
    enqueue(nullptr, [&] {
      run_other_streams();
      values.assign(5, 1);
      return true;
    });
    devices.all_reduce(values.data(), values.data(), values.size());
    devices.join();
    enqueue(nullptr, [&] {
      for (std::size_t i = 0; i < 5; ++i) doubled[i] = 2 * values[i];
      return true;
    });
    EXPECT_THAT(values, testing::Each(0));
    devices.wait();
    put_default_stream_off(false);
    EXPECT_THAT(values, testing::Each(2));
    EXPECT_THAT(doubled, testing::Each(4));
  });
}

TEST(DeviceGroup, TheDefaultStreamWaitsWithoutTheHost) {
  with_devices(2, [](ProcessGroup&, DeviceGroup& devices) {
    std::vector<float> values(5, 1);
    devices.all_reduce(values.data(), values.data(), values.size());
    EXPECT_THAT(values, testing::Each(1));
    devices.join();
    EXPECT_THAT(values, testing::Each(2));
    devices.wait();
  });
}

TEST(DeviceGroup, LeavesInOrder) {
  run_as_processes(2, [](ProcessGroup& processes) {
    std::vector<float> values(5, 1);
    auto devices = join_device_group(processes, 0);
    devices->all_reduce(values.data(), values.data(), values.size());
    EXPECT_EQ(groups_left(), 0);
    devices.reset();
    EXPECT_THAT(values, testing::Each(2));
    EXPECT_EQ(groups_left(), 1);
    EXPECT_EQ(groups_given_up(), 0);
  });
}

TEST(DeviceGroup, AProcessThatFailsDoesNotWaitForTheOthers) {
  run_as_processes(2, [](ProcessGroup& processes) {
    std::vector<float> values(5, 1);
    auto devices = join_device_group(processes, 0);
    if (processes.rank() == 0) {
      try {
        const auto mine = std::move(devices);
        throw Error("the disk is full");
      } catch (const Error&) {
        EXPECT_EQ(groups_given_up(), 1);
      }
      return;
    }
    devices->all_reduce(values.data(), values.data(), values.size());
    devices->join();
    try {
      devices->wait();
      ADD_FAILURE() << "nobody is there";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr("exchanging values between GPUs failed: another process is gone"),
                                      HasSubstr("details of the stand-in"), HasSubstr("NCCL_DEBUG=WARN")));
    }
    devices.reset();
    EXPECT_EQ(groups_given_up(), 1);
  });
}

TEST(DeviceGroup, ExchangesThatDifferAreAnError) {
  run_as_processes(2, [](ProcessGroup& processes) {
    std::vector<float> values(9, 1);
    auto devices = join_device_group(processes, 0);
    devices->all_reduce(values.data(), values.data(), 5 + processes.rank());
    devices->join();
    EXPECT_THROW(devices->wait(), Error);
  });
}

TEST(DeviceGroup, SaysWhyItCannotStart) {
  run_as_processes(1, [](ProcessGroup& processes) {
    fail_next_start(ncclSystemError);
    try {
      join_device_group(processes, 0);
      ADD_FAILURE() << "started";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("connecting the GPUs failed: a call of the system failed"));
    }
    try {
      join_device_group(processes, 99);
      ADD_FAILURE() << "started";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr("choosing a GPU failed: no such device"), HasSubstr("nvidia-smi")));
    }
  });
}

TEST_P(DeviceGroupTest, BenchSeesRightValues) {
  run_as_processes(GetParam(), [](ProcessGroup& processes) {
    int rows = 0;
    const AllreduceBenchOptions options{
        .first_bytes = "4", .last_bytes = "256K", .step_factor = 64, .repetitions = 3, .warmups = 1, .device = "cuda"};
    allreduce_bench(processes, options, [&](const AllreduceRow& row) {
      ++rows;
      EXPECT_EQ(row.out_of_place.wrong + row.in_place.wrong, 0U);
      EXPECT_GT(row.in_place.seconds, 0);
    });
    EXPECT_EQ(rows, 3);
  });
}

TEST(DeviceGroup, BenchRefusesMoreProcessesThanGpus) {
  EXPECT_EQ(count_devices(), 8);
  EXPECT_EQ(device_address(1), "0000:1b:00.0");
  EXPECT_THROW(run_as_processes(9,
                                [](ProcessGroup& processes) {
                                  allreduce_bench(processes, {.device = "cuda"}, [](const AllreduceRow&) {});
                                }),
               ConfigError);
}

}  // namespace
}  // namespace bertprep::test
