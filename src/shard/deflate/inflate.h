// Inflater: reads zlib streams (RFC 1950) of known size by libdeflate, more than twice as fast as zlib does.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "base/library_version.h"

struct libdeflate_decompressor;

namespace bertprep {

// For one thread at a time.
class Inflater {
 public:
  // Throws std::bad_alloc.
  Inflater();

  // Inflates `stream` into `out`, which must not be empty. False if the stream is damaged or has more or fewer bytes;
  // `out` is then unspecified. Ignores bytes after the stream's end.
  //
  // Every stream that zlib accepts gives the same bytes. Also accepts a few descriptions of codes that zlib refuses, if
  // the checksum of the bytes is right.
  bool inflate(std::span<const std::byte> stream, std::span<std::byte> out);

 private:
  struct Free {
    void operator()(libdeflate_decompressor* decompressor) const;
  };
  std::unique_ptr<libdeflate_decompressor, Free> decompressor_;
};

LibraryVersion version_of_libdeflate();

}  // namespace bertprep
