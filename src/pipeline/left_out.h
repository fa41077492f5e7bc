// Documents that are no articles, counted by their reasons: in records, to be found again.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "io/json.h"

namespace bertprep {

using LeftOutCounts = std::map<std::string, std::uint64_t>;  // as StageReport::left_out

void add_counts(const LeftOutCounts& more, LeftOutCounts& counts);
Json json_of_left_out(const LeftOutCounts& counts);
// Of the counts of a completion record, under "left_out"; none where it has no such key.
LeftOutCounts left_out_of(const Json& counts);

}  // namespace bertprep
