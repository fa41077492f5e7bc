// ShardingOptions: over how many text shards the articles of a dataset are spread. Defaults are the
// reference's.
#pragma once

#include <cstdint>
#include <span>

#include "bertprep/base/fields.h"

namespace bertprep {

struct ShardingOptions {
  std::int64_t train_shards = 256;
  std::int64_t test_shards = 256;
  double test_fraction = 0.1;

  static constexpr OptionGroup kGroup = OptionGroup::kOutput;
  static std::span<const Field<ShardingOptions>> fields();
};

}  // namespace bertprep
