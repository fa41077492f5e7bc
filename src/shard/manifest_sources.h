// ManifestSource as JSON, in the manifests of rows and of sequences, and in plans of array jobs.
#pragma once

#include <vector>

#include "bertprep/shard/manifest.h"
#include "io/json.h"

namespace bertprep {

Json json_of(const std::vector<ManifestSource>& sources);
// Throws FormatError.
std::vector<ManifestSource> sources_in(const Json& list);

}  // namespace bertprep
