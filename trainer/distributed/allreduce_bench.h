// AllreduceBench: how fast the processes of a group sum their values, in the terms of NVIDIA's nccl-tests.
//
// Every size is measured out of place (the sum goes into another array) and in place. Algorithmic bandwidth is bytes
// per time; bus bandwidth is that x 2 (n - 1) / n, which is comparable between numbers of processes n. Wrong results
// are counted value by value.
//
// On CPUs it measures the exchange between processes (ProcessGroup), out of place with a copy before it. On GPUs it
// measures NCCL, by the calls used in training: one GPU per process.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "bertprep/trainer/process_group.h"

namespace bertprep {

struct AllreduceBenchOptions {
  std::string first_bytes = "8";  // with K, M or G for powers of 1024
  std::string last_bytes = "64M";
  std::int64_t step_factor = 2;
  std::int64_t repetitions = 20;
  std::int64_t warmups = 5;
  std::string device = "cpu";  // cpu | cuda
};

struct AllreduceTime {
  double seconds = 0;              // of one call, the mean of all processes
  double algorithm_bandwidth = 0;  // bytes per second
  double bus_bandwidth = 0;
  std::uint64_t wrong = 0;  // values, in all processes
};

struct AllreduceRow {
  std::uint64_t bytes = 0;
  std::uint64_t values = 0;  // f32
  AllreduceTime out_of_place, in_place;
};

// Calls `row` in every process for each size. Throws ConfigError for invalid options, and if there are not enough GPUs.
void allreduce_bench(ProcessGroup& processes, const AllreduceBenchOptions& options,
                     const std::function<void(const AllreduceRow&)>& row);

// The GPU of this process, as "0000:1b:00.0"; empty on CPUs. Throws as above.
std::string measured_device(const ProcessGroup& processes, const AllreduceBenchOptions& options);

}  // namespace bertprep
