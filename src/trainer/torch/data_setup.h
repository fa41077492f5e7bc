// The data of a run: shards that are there and whole, and what of them each process looks at for all.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "bertprep/base/error.h"
#include "bertprep/shard/row_stream.h"
#include "bertprep/trainer/process_group.h"
#include "bertprep/trainer/train.h"

namespace bertprep {

struct Portion {
  std::uint64_t first = 0, count = 0;
};
Portion portion_of(std::uint64_t count, const ProcessGroup& processes);
ShardSet portion_of(const ShardSet& set, const ProcessGroup& processes);

// The shards with `word` in their names. All processes throw Cancelled, whichever was asked to stop. Throws as
// list_shards() and require_whole().
ShardSet find_shards(const TrainOptions& options, const std::string& word, const Progress& progress,
                     ProcessGroup& processes);

// Who is asked to stop tells the others.
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
