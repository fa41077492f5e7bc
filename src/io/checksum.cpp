#include "io/checksum.h"

// Compiled in: consumers of the library need not link xxHash.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace bertprep {

std::uint64_t checksum_of(std::string_view bytes, std::uint64_t begin) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), begin);
}

}  // namespace bertprep
