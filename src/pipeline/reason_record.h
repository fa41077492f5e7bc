// ReasonCounts in completion records (docs/formats/completion-record.md).
#pragma once

#include <string_view>

#include "bertprep/base/reason_counts.h"
#include "io/json.h"

namespace bertprep {

inline constexpr const char* kRejectedByReason = "rejected_by_reason";
inline constexpr const char* kLeftOut = "left_out";  // documents that are no articles

Json json_of(const ReasonCounts& counts);
// The counts under `key` of a record's; none where the record has none.
ReasonCounts reasons_in(const Json& counts, std::string_view key);

}  // namespace bertprep
