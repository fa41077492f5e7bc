// ShardingOptions: over how many text shards the articles of a dataset are spread.
#pragma once

#include <cstdint>
#include <span>

#include "bertprep/base/fields.h"

namespace bertprep {

struct ShardingOptions {
  // 0: not given; the number of articles decides, see resolve_sharding(). A number that is given is kept, or refused
  // where there are fewer articles than shards.
  std::int64_t train_shards = 0;
  std::int64_t test_shards = 0;
  double test_fraction = 0.1;

  bool is_resolved() const { return train_shards != 0 && test_shards != 0; }

  static constexpr OptionGroup kGroup = OptionGroup::kOutput;
  static std::span<const Field<ShardingOptions>> fields();
};

// `options` with the numbers that are not given. From 4,096 articles on, eight for each of the reference's shards, they
// are the reference's: 256 and 256. Of fewer articles, every eight make one shard: `test_fraction` of the shards,
// rounded, is for testing, the rest for training, at least 1 and at most 256 of each.
ShardingOptions resolve_sharding(ShardingOptions options, std::uint64_t articles);

}  // namespace bertprep
