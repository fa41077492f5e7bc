// How a stream is compressed, by its first bytes.
#pragma once

#include <cstddef>
#include <string_view>

namespace bertprep {

enum class Compression { kNone, kGzip, kBzip2, kZstd, kXz };

inline constexpr std::size_t kCompressionProbeBytes = 10;

// The magic numbers of RFC 1952 (gzip, with its only method), RFC 8878 (zstd, also with skippable frames in front), the
// xz file format 1.1.0, and bzip2 with the number that begins its first block or ends an empty file.
Compression compression_of(std::string_view first_bytes);

}  // namespace bertprep
