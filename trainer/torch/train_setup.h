// The preparation of a run: its data, the model's shape, the device, the threads.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <span>
#include <string>

#include "bertprep/base/error.h"
#include "bertprep/shard/row_stream.h"
#include "bertprep/trainer/process_group.h"
#include "bertprep/trainer/train.h"

namespace bertprep {

// The rows on which the model is trained. Throws as resolve_model().
RowContent rows_for(const ModelOptions& options);

// The data decides the vocabulary of the built-in shapes; a file's must fit the data's. Throws ConfigError.
// Token sequences also give the id of the end of a text.
ModelConfig config_for(const ModelOptions& options, const ShardSet& shards);

// Sets the threads of libtorch and OpenBLAS to `requested`, or this process's share of the machine; returns how many.
int set_threads(std::int64_t requested, const ProcessGroup& processes);

// Each process of a machine gets a different GPU. Throws ConfigError.
at::Device device_of(Device chosen, const ProcessGroup& processes);

// Throws ConfigError if the processes don't have the same options and shards, or can't share the batch.
void require_agreement(const TrainOptions& options, const ShardSet& shards, ProcessGroup& processes);

// The share of each process when checking things for all.
struct Portion {
  std::uint64_t first = 0, count = 0;
};
Portion portion_of(std::uint64_t count, const ProcessGroup& processes);
ShardSet portion_of(const ShardSet& set, const ProcessGroup& processes);

// The shards with `word` in their names. All processes throw Cancelled, whichever was asked to stop. Throws as
// list_shards() and require_whole().
ShardSet find_shards(const TrainOptions& options, const std::string& word, const Progress& progress,
                     ProcessGroup& processes);

// Shares a request to stop with the other processes.
template <class Call>
void stop_together(ProcessGroup& processes, Call call) {
  double cancelled = 0;
  try {
    call();
  } catch (const Cancelled&) {
    cancelled = 1;
  }
  processes.sum(std::span(&cancelled, 1));
  if (cancelled > 0) throw Cancelled();
}

}  // namespace bertprep
