// open_stream: a file's bytes, decompressed; the first bytes decide how.
#pragma once

#include "base/task_runner.h"
#include "stream/byte_stream.h"

namespace bertprep {

// How a stream is compressed, by its first bytes.
enum class Compression { kNone, kGzip, kBzip2, kZstd, kXz };

inline constexpr std::size_t kCompressionProbeBytes = 10;

// The magic numbers of RFC 1952 (gzip, with its only method), RFC 8878 (zstd, also after skippable frames), the xz file
// format 1.1.0, and bzip2 with the number that begins its first block or ends an empty file.
Compression compression_of(std::string_view first_bytes);

// The name without the extension of a compressed file (.gz, .bz2, .zst, .xz), if it has one.
std::string_view without_compression_ending(std::string_view name);

// Throws FormatError for a file with the name of a compressed one that is neither compressed nor an archive: its bytes
// would pass for text. `name` may be that of a member of an archive. An empty file passes.
void refuse_misnamed(const std::string& name, std::string_view first_bytes);

// Text shrinks to a tenth, machine-made lines to a hundredth.
inline constexpr std::uint64_t kUsualExpansion = 1000;

struct StreamOptions {
  TaskRunner runner{};
  // Called for each damaged part that is skipped: "FILE at byte N" and what is wrong. Empty: damage throws FormatError.
  std::function<void(const std::string& where, const std::string& reason)> damage{};
  // Called for each member of an archive that is not read, with the reason. Empty: no reports.
  std::function<void(const std::string& where, const std::string& reason)> left_out{};
  // A file that expands to more than this many times its size is refused.
  std::uint64_t max_expansion = kUsualExpansion;
  // Counts how far the file has been read, unless null; must outlive the stream.
  ReadMeter* meter = nullptr;
};

// The first bytes decide, not the name: gzip, bzip2, zstd and xz are decompressed (consecutive members or frames are
// one stream); anything else is returned unchanged. A truncated compressed file throws FormatError after all readable
// bytes. Throws IoError.
std::unique_ptr<ByteStream> open_stream(const std::filesystem::path& path, const StreamOptions& options = {});

// The same for a stream instead of a file, in one thread. `name` is for errors.
std::unique_ptr<ByteStream> decompress(const std::string& name, std::unique_ptr<ByteStream> bytes);

}  // namespace bertprep
