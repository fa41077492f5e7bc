// Rows that are functions of counters, the same as drawn_weights.py draws.
#pragma once

#include <cstdint>

#include "bertprep/shard/schema.h"

namespace bertprep::test {

Batch drawn_rows(std::size_t count, std::size_t tokens, std::size_t predictions, std::uint64_t vocab);

}  // namespace bertprep::test
