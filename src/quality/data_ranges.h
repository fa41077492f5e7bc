// Ranges that a dataset's counts are expected in. docs/formats/data.md gives each with its reason.
#pragma once

#include <vector>

#include "bertprep/shard/manifest.h"
#include "quality/data_counts.h"

namespace bertprep {

// What the recipe of `manifest` asks for.
DataTargets targets_of(const Manifest& manifest);

// All of them, in the order of the manifest; nothing for a dataset without rows.
std::vector<DataWarning> warnings_of(const DataCounts& counts, const DataTargets& targets);

// With what the recipe asks for, puts the section "data" and its warnings into `manifest`.
void add_data(const DataCounts& counts, Manifest& manifest);

}  // namespace bertprep
