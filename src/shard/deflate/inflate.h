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

  // Fills `out`, which is not empty, with what `stream` holds. False when the stream is damaged or holds more or less;
  // what `out` holds then does not matter. Bytes behind the stream's end are passed over.
  //
  // What zlib reads is read, to the same bytes. A few ways to describe a code that zlib refuses are taken too, as long
  // as the checksum of the bytes is right.
  bool inflate(std::span<const std::byte> stream, std::span<std::byte> out);

 private:
  struct Free {
    void operator()(libdeflate_decompressor* decompressor) const;
  };
  std::unique_ptr<libdeflate_decompressor, Free> decompressor_;
};

LibraryVersion version_of_libdeflate();

}  // namespace bertprep
