// Bzip2Stream: a bzip2 file, its blocks decoded in parallel (one stream, multistream, or concatenated files).
//
// Blocks are found by their marks, decoded independently ahead of the reader by the caller's TaskRunner, and returned
// in order. A mark that occurs in the data by chance does no harm: a block must end where the next one begins, and its
// checksum must be right. Memory: 9 MB per worker, and 2 MB for each block decoded ahead: two per worker.
//
// A damaged block is reported with its position and skipped; no other block is lost. A damaged header or end of a
// stream is reported and loses no data. Bytes after the end of the last stream are reported to StreamOptions::damage;
// zeros are ignored.
#pragma once

#include "stream/open_stream.h"

namespace bertprep {

// Reasons reported for damage outside blocks.
inline constexpr std::string_view kBzip2WrongSum =
    "the checksum of the bzip2 stream is wrong, though those of its blocks are right";

// Bytes after the last stream; the file may still be complete.
inline constexpr std::string_view kBzip2Rest = "after the end of the last bzip2 stream";

// Bytes of the file: whole streams, as listed in the index of a multistream dump. `end` 0: to the end of the file.
struct Bzip2Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  // `begin` is any byte: bytes before the first undamaged block are skipped without being reported. The checksum of a
  // stream that began earlier is not compared.
  bool is_anywhere = false;
  // After this byte, little is decoded ahead; 0: no limit.
  std::uint64_t last_wanted = 0;
};
// Throws IoError, and FormatError if the file is not empty and does not begin with a bzip2 stream.
std::unique_ptr<ByteStream> open_bzip2(const std::filesystem::path& path, const StreamOptions& options,
                                       const Bzip2Range& range = {});

}  // namespace bertprep
