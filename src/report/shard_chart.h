// A chart with a place for each shard, or, where there are many, for several that follow each other.
#pragma once

#include <string>
#include <vector>

#include "report/charts.h"

namespace bertprep {

struct ShardValue {
  std::string file;
  double value = 0;
  std::string label;  // as people read it
};

// Shards stand in the natural order of their names. Beyond 64, each place shows the mean of several, and their least
// and most.
ColumnChart shard_chart(ChartText text, std::vector<ShardValue> values);

}  // namespace bertprep
