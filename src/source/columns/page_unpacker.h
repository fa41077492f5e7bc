// PageUnpacker: decompresses pages of Parquet files, and buffers of Arrow's.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "stream/decoded_stream.h"

namespace bertprep {

// With the codes of Parquet, which lacks the last.
enum class PageCodec { kNone, kSnappy, kGzip, kLzo, kBrotli, kHadoopLz4, kZstd, kLz4, kLz4Frame };

// Throws FormatError that names no place: the codec is unknown, or one that is not read.
PageCodec page_codec(std::uint64_t code);

// For one thread. The libraries of Snappy, Brotli and LZ4 are loaded when the first page needs them.
class PageUnpacker {
 public:
  // Decompresses to exactly `bytes` bytes of `out`, which has room for one more. False: the page is damaged, or has
  // another size. Throws Error if there is no library for it.
  bool unpack(PageCodec codec, std::string_view packed, std::uint64_t bytes, std::span<char> out);

 private:
  bool unpack_stream(std::unique_ptr<Codec>& codec, std::string_view packed, std::uint64_t bytes, std::span<char> out);

  std::unique_ptr<Codec> zstd_;
  std::unique_ptr<Codec> gzip_;
};

}  // namespace bertprep
