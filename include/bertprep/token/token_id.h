#pragma once

#include <cstdint>

namespace bertprep {

// The number of a WordPiece: its line in the vocabulary, from 0. Signed and 32 bits wide as in the shards.
using TokenId = std::int32_t;

}  // namespace bertprep
