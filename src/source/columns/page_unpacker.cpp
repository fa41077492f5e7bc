#include "source/columns/page_unpacker.h"

#include <brotli/decode.h>
#include <lz4.h>
#include <lz4frame.h>
#include <snappy-c.h>

#include <algorithm>
#include <climits>

#include "bertprep/base/error.h"
#include "io/loaded_library.h"

namespace bertprep {
namespace {

struct SnappyLibrary {
  LoadedLibrary library{BERTPREP_SNAPPY_NAME, BERTPREP_SNAPPY_FILE};
  decltype(&::snappy_uncompressed_length) length = library["snappy_uncompressed_length"];
  decltype(&::snappy_uncompress) uncompress = library["snappy_uncompress"];
};

struct BrotliLibrary {
  LoadedLibrary library{BERTPREP_BROTLI_NAME, BERTPREP_BROTLI_FILE};
  decltype(&::BrotliDecoderDecompress) decompress = library["BrotliDecoderDecompress"];
};

struct Lz4Library {
  LoadedLibrary library{BERTPREP_LZ4_NAME, BERTPREP_LZ4_FILE};
  decltype(&::LZ4_decompress_safe) decompress = library["LZ4_decompress_safe"];
  decltype(&::LZ4F_createDecompressionContext) begin_frame = library["LZ4F_createDecompressionContext"];
  decltype(&::LZ4F_decompress) decompress_frame = library["LZ4F_decompress"];
  decltype(&::LZ4F_freeDecompressionContext) end_frame = library["LZ4F_freeDecompressionContext"];
};

bool unpack_snappy(std::string_view packed, std::span<char> out) {
  const auto& snappy = loaded<SnappyLibrary>();
  std::size_t length = 0;
  return snappy.length(packed.data(), packed.size(), &length) == SNAPPY_OK && length == out.size() &&
         snappy.uncompress(packed.data(), packed.size(), out.data(), &length) == SNAPPY_OK && length == out.size();
}

bool unpack_brotli(std::string_view packed, std::span<char> out) {
  std::size_t length = out.size();
  const auto* const in = reinterpret_cast<const std::uint8_t*>(packed.data());
  return loaded<BrotliLibrary>().decompress(packed.size(), in, &length, reinterpret_cast<std::uint8_t*>(out.data())) ==
             BROTLI_DECODER_RESULT_SUCCESS &&
         length == out.size();
}

bool unpack_lz4(std::string_view packed, std::span<char> out) {
  if (packed.size() > INT_MAX || out.size() > INT_MAX) return false;
  const int length = loaded<Lz4Library>().decompress(packed.data(), out.data(), static_cast<int>(packed.size()),
                                                     static_cast<int>(out.size()));
  return length >= 0 && static_cast<std::size_t>(length) == out.size();
}

bool unpack_lz4_frame(std::string_view packed, std::span<char> out) {
  const auto& lz4 = loaded<Lz4Library>();
  LZ4F_dctx* context = nullptr;
  if (lz4.begin_frame(&context, LZ4F_VERSION) != 0) throw std::bad_alloc();
  const std::unique_ptr<LZ4F_dctx, decltype(lz4.end_frame)> frame(context, lz4.end_frame);
  std::size_t more = 1;
  for (std::size_t steps = 1; more != 0 && steps != 0;) {
    std::size_t taken = packed.size();
    std::size_t given = out.size();
    more = lz4.decompress_frame(context, out.data(), &given, packed.data(), &taken, nullptr);
    packed.remove_prefix(std::min(taken, packed.size()));
    out = out.subspan(given);
    steps = taken + given;  // none: it is damaged, or longer
  }
  return more == 0 && packed.empty() && out.empty();
}

// After its end, a stream of gzip would skip zeros.
bool unpack_gzip(std::string_view packed, std::span<char> out) {
  const auto codec = make_gzip_codec();
  bool is_whole = false;
  while (!(is_whole && packed.empty())) {
    const CodecStep step = codec->decode(packed, out);
    if (!step.fault.empty() || step.consumed + step.produced == 0) return false;
    packed.remove_prefix(step.consumed);
    out = out.subspan(step.produced);
    is_whole = step.ends_unit;
  }
  return out.empty();
}

}  // namespace

PageCodec page_codec(std::uint64_t code) {
  if (code <= static_cast<std::uint64_t>(PageCodec::kLz4)) return static_cast<PageCodec>(code);
  throw FormatError("a column is compressed in a way that is not known (" + std::to_string(code) + ")");
}

std::span<char> PageBuffer::make(std::uint64_t bytes) {
  if (bytes > room_) {
    room_ = bytes + bytes / 4;
    memory_ = LargeArray<char>(room_);
  }
  size_ = bytes;
  return {memory_.get(), size_};
}

bool PageUnpacker::unpack(PageCodec codec, std::string_view packed, std::span<char> out) {
  switch (codec) {
    case PageCodec::kNone:
      if (packed.size() != out.size()) return false;
      std::ranges::copy(packed, out.begin());
      return true;
    case PageCodec::kSnappy:
      return unpack_snappy(packed, out);
    case PageCodec::kGzip:
      return unpack_gzip(packed, out);
    case PageCodec::kBrotli:
      return unpack_brotli(packed, out);
    case PageCodec::kZstd:
      if (!zstd_) zstd_.emplace();
      return zstd_->decode(packed, out);
    case PageCodec::kLz4:
      return unpack_lz4(packed, out);
    case PageCodec::kLz4Frame:
      return unpack_lz4_frame(packed, out);
    case PageCodec::kLzo:
    case PageCodec::kHadoopLz4:
      throw FormatError("it is compressed by LZO, or by LZ4 in the frames of Hadoop");
  }
  return false;
}

}  // namespace bertprep
