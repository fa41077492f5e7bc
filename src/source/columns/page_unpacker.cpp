#include "source/columns/page_unpacker.h"

#include <brotli/decode.h>
#include <lz4.h>
#include <lz4frame.h>
#include <snappy-c.h>

#include <algorithm>
#include <climits>
#include <new>
#include <string>

#include "bertprep/base/error.h"
#include "io/loaded_library.h"
#include "stream/gzip_codec.h"
#include "stream/zstd_codec.h"

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

template <class Library>
const Library& loaded() {
  static const Library functions;
  return functions;
}

bool unpack_snappy(std::string_view packed, std::size_t bytes, char* out) {
  const auto& snappy = loaded<SnappyLibrary>();
  std::size_t length = 0;
  return snappy.length(packed.data(), packed.size(), &length) == SNAPPY_OK && length == bytes &&
         snappy.uncompress(packed.data(), packed.size(), out, &length) == SNAPPY_OK && length == bytes;
}

bool unpack_brotli(std::string_view packed, std::span<char> out, std::size_t bytes) {
  std::size_t length = out.size();
  const auto* const in = reinterpret_cast<const std::uint8_t*>(packed.data());
  return loaded<BrotliLibrary>().decompress(packed.size(), in, &length, reinterpret_cast<std::uint8_t*>(out.data())) ==
             BROTLI_DECODER_RESULT_SUCCESS &&
         length == bytes;
}

bool unpack_lz4(std::string_view packed, std::span<char> out, std::size_t bytes) {
  if (packed.size() > INT_MAX || out.size() > INT_MAX) return false;
  const int length = loaded<Lz4Library>().decompress(packed.data(), out.data(), static_cast<int>(packed.size()),
                                                     static_cast<int>(out.size()));
  return length >= 0 && static_cast<std::size_t>(length) == bytes;
}

bool unpack_lz4_frame(std::string_view packed, std::span<char> out, std::size_t bytes) {
  const auto& lz4 = loaded<Lz4Library>();
  LZ4F_dctx* context = nullptr;
  if (lz4.begin_frame(&context, LZ4F_VERSION) != 0) throw std::bad_alloc();
  const std::unique_ptr<LZ4F_dctx, decltype(lz4.end_frame)> frame(context, lz4.end_frame);
  std::size_t produced = 0;
  for (std::size_t more = 1; more != 0;) {
    std::size_t taken = packed.size();
    std::size_t given = out.size() - produced;
    more = lz4.decompress_frame(context, out.data() + produced, &given, packed.data(), &taken, nullptr);
    packed.remove_prefix(std::min(taken, packed.size()));
    produced += given;
    if (taken + given == 0) break;  // damaged, or longer
  }
  return packed.empty() && produced == bytes;
}

}  // namespace

PageCodec page_codec(std::uint64_t code) {
  if (code <= static_cast<std::uint64_t>(PageCodec::kLz4)) return static_cast<PageCodec>(code);
  throw FormatError("a column is compressed in a way that is not known (" + std::to_string(code) + ")");
}

// One byte more than wanted is room to find that there are too many.
bool PageUnpacker::unpack_stream(std::unique_ptr<Codec>& codec, std::string_view packed, std::uint64_t bytes,
                                 std::span<char> out) {
  std::uint64_t produced = 0;
  bool is_whole = false;
  while (produced <= bytes && !(is_whole && packed.empty())) {
    const CodecStep step = codec->decode(packed, out);
    if (!step.fault.empty() || step.consumed + step.produced == 0) break;
    packed.remove_prefix(step.consumed);
    out = out.subspan(step.produced);
    produced += step.produced;
    is_whole = step.ends_unit;
  }
  if (is_whole && packed.empty() && produced == bytes) return true;
  codec.reset();  // it may be within a frame
  return false;
}

bool PageUnpacker::unpack(PageCodec codec, std::string_view packed, std::uint64_t bytes, std::span<char> out) {
  out = out.first(bytes + 1);
  switch (codec) {
    case PageCodec::kNone:
      if (packed.size() != bytes) return false;
      std::copy(packed.begin(), packed.end(), out.begin());
      return true;
    case PageCodec::kSnappy:
      return unpack_snappy(packed, bytes, out.data());
    case PageCodec::kGzip:
      // After its end, a stream of gzip would skip zeros.
      gzip_ = make_gzip_codec();
      return unpack_stream(gzip_, packed, bytes, out);
    case PageCodec::kBrotli:
      return unpack_brotli(packed, out, bytes);
    case PageCodec::kZstd:
      if (zstd_ == nullptr) zstd_ = make_zstd_codec();
      return unpack_stream(zstd_, packed, bytes, out);
    case PageCodec::kLz4:
      return unpack_lz4(packed, out, bytes);
    case PageCodec::kLz4Frame:
      return unpack_lz4_frame(packed, out, bytes);
    case PageCodec::kLzo:
    case PageCodec::kHadoopLz4:
      break;
  }
  return false;
}

}  // namespace bertprep
