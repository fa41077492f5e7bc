// PageUnpacker: decompresses pages of Parquet files, and buffers of Arrow's.
#pragma once

#include "base/large_array.h"
#include "stream/zstd_codec.h"

namespace bertprep {

// With the codes of Parquet, which lacks the last.
enum class PageCodec { kNone, kSnappy, kGzip, kLzo, kBrotli, kHadoopLz4, kZstd, kLz4, kLz4Frame };

// Throws FormatError that names no place: the codec is unknown, or one that is not read.
PageCodec page_codec(std::uint64_t code);

// PageBuffer: memory for one page after the other.
class PageBuffer {
 public:
  // Room for `bytes` of any value, in place of those before.
  std::span<char> make(std::uint64_t bytes);
  std::string_view bytes() const { return {memory_.get(), size_}; }

 private:
  LargeArray<char> memory_{0};
  std::uint64_t room_ = 0;
  std::uint64_t size_ = 0;
};

// For one thread. The libraries of Snappy, Brotli and LZ4 are loaded when the first page needs them.
class PageUnpacker {
 public:
  // Decompresses to exactly the bytes of `out`. False: the page is damaged, or has another size. Throws Error if there
  // is no library for it.
  bool unpack(PageCodec codec, std::string_view packed, std::span<char> out);

 private:
  std::optional<ZstdFrames> zstd_;
};

}  // namespace bertprep
