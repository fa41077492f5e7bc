// open_stream: a file's bytes, decompressed as their first bytes say.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/task_runner.h"
#include "stream/byte_stream.h"

namespace bertprep {

// How a stream is compressed, by its first bytes.
enum class Compression { kNone, kGzip, kBzip2, kZstd, kXz };

inline constexpr std::size_t kCompressionProbeBytes = 10;

// The magic numbers of RFC 1952 (gzip, with its only method), RFC 8878 (zstd, also with skippable frames in front), the
// xz file format 1.1.0, and bzip2 with the number that begins its first block or ends an empty file.
Compression compression_of(std::string_view first_bytes);

// Text shrinks to a tenth, machine-made lines to a hundredth.
inline constexpr std::uint64_t kUsualExpansion = 1000;

struct StreamOptions {
  TaskRunner runner{};
  // Told of each damaged part that is left out: "FILE at byte N" and what is wrong. Empty: damage throws FormatError.
  std::function<void(const std::string& where, const std::string& reason)> damage{};
  // Told of each member of an archive that is not read, and why. Empty: nobody is.
  std::function<void(const std::string& where, const std::string& reason)> left_out{};
  // A file that expands to more times its size is refused.
  std::uint64_t most_expansion = kUsualExpansion;
  // Told how far the file has been read, if it is not null; outlives the stream.
  ReadMeter* meter = nullptr;
};

// The first bytes decide, not the name: gzip, bzip2, zstd and xz are decompressed (several members or frames in a row
// are one stream), anything else is given as it is. A file that ends within a compressed stream throws FormatError
// after all that could be read. Throws IoError.
std::unique_ptr<ByteStream> open_stream(const std::filesystem::path& path, const StreamOptions& options = {});

// The same for bytes that do not lie in a file of their own, in one thread. `name` is for errors.
std::unique_ptr<ByteStream> decompress(const std::string& name, std::unique_ptr<ByteStream> bytes);

}  // namespace bertprep
