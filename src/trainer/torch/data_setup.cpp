#include "trainer/torch/data_setup.h"

#include "trainer/torch/train_setup.h"

namespace bertprep {

Portion portion_of(std::uint64_t count, const ProcessGroup& processes) {
  const std::uint64_t first = count * processes.rank() / processes.size();
  return {first, count * (processes.rank() + 1) / processes.size() - first};
}

ShardSet portion_of(const ShardSet& set, const ProcessGroup& processes) {
  const Portion own = portion_of(set.shards.size(), processes);
  ShardSet part = set;
  const auto begin = set.shards.begin() + static_cast<std::ptrdiff_t>(own.first);
  part.shards.assign(begin, begin + static_cast<std::ptrdiff_t>(own.count));
  return part;
}

ShardSet find_shards(const TrainOptions& options, const std::string& word, const Progress& progress,
                     ProcessGroup& processes) {
  ShardSet set;
  stop_together(processes, [&] {
    set = list_shards(options.data.data, word, true, progress, rows_for(options.model));
    if (!options.data.incomplete) require_whole(options.data.data, word);
  });
  return set;
}

}  // namespace bertprep
