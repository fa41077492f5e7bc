#include "bertprep/pipeline/sharding_options.h"

#include <array>

namespace bertprep {

std::span<const Field<ShardingOptions>> ShardingOptions::fields() {
  using Options = ShardingOptions;
  constexpr double kMostShards = 1'000'000;
  static const std::array<Field<Options>, 3> kFields{{
      {.name = "train-shards",
       .member = &Options::train_shards,
       .unit = "shards",
       .help = "text shards for training",
       .min = 1,
       .max = kMostShards},
      {.name = "test-shards",
       .member = &Options::test_shards,
       .unit = "shards",
       .help = "text shards for testing",
       .min = 1,
       .max = kMostShards},
      {.name = "test-fraction",
       .member = &Options::test_fraction,
       .unit = "share",
       .help = "share of the sentences that is meant for the test shards",
       .min = 0,
       .max = 1},
  }};
  return kFields;
}

}  // namespace bertprep
