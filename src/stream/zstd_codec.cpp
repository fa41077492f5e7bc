#include "stream/zstd_codec.h"

#include <zstd.h>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

constexpr int kLargestWindowLog = 31;
constexpr std::uint32_t kSkippableMagic = 0x184D2A5A;
constexpr std::size_t kSkippableHead = 2 * sizeof(std::uint32_t);

// Little-endian, as in the format.
void append_number(std::uint32_t value, std::string& out) {
  for (unsigned shift = 0; shift < 32; shift += 8) out += static_cast<char>(value >> shift & 0xFFU);
}

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (unsigned k = 0; k < 4; ++k) value |= std::uint32_t{static_cast<unsigned char>(bytes[at + k])} << 8 * k;
  return value;
}

struct FreeContext {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

class ZstdCodec final : public Codec {
 public:
  ZstdCodec() : context_(ZSTD_createDCtx()) {
    if (context_ == nullptr) throw IoError("out of memory to decompress", "zstd");
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kLargestWindowLog);
  }

  std::string name() const override { return "zstd"; }

  CodecStep decode(std::string_view packed, std::span<char> out) override {
    ZSTD_inBuffer in{packed.data(), packed.size(), 0};
    ZSTD_outBuffer room{out.data(), out.size(), 0};
    const std::size_t result = ZSTD_decompressStream(context_.get(), &room, &in);
    CodecStep step{.consumed = in.pos, .produced = room.pos, .ends_unit = result == 0};
    if (ZSTD_isError(result) != 0) step.fault = ZSTD_getErrorName(result);
    return step;
  }

 private:
  std::unique_ptr<ZSTD_DCtx, FreeContext> context_;
};

}  // namespace

std::unique_ptr<Codec> make_zstd_codec() {
  return std::make_unique<ZstdCodec>();
}

void ZstdFrames::Free::operator()(ZSTD_DCtx_s* context) const {
  ZSTD_freeDCtx(context);
}

ZstdFrames::ZstdFrames() : context_(ZSTD_createDCtx()) {
  if (context_ == nullptr) throw IoError("out of memory to decompress", "zstd");
}

bool ZstdFrames::decode(std::string_view packed, std::span<char> out) {
  return ZSTD_decompressDCtx(context_.get(), out.data(), out.size(), packed.data(), packed.size()) == out.size();
}

LibraryVersion version_of_zstd() {
  return {"Zstandard", ZSTD_VERSION_STRING, ::ZSTD_versionString()};
}

void append_zstd_frame(std::string_view bytes, int level, std::string& out) {
  const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
  if (context == nullptr) throw IoError("out of memory to compress", "zstd", "lower `memory` or `threads`");
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  const std::size_t begin = out.size();
  out.resize(begin + ZSTD_compressBound(bytes.size()));
  const std::size_t size =
      ZSTD_compress2(context.get(), out.data() + begin, out.size() - begin, bytes.data(), bytes.size());
  if (ZSTD_isError(size) != 0) throw IoError(ZSTD_getErrorName(size), "zstd", "this should not happen; report it");
  out.resize(begin + size);
}

std::string zstd_frame_bytes(std::string_view frame, std::uint64_t max_bytes) {
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size > max_bytes) {
    throw FormatError("is not a Zstandard frame of known size");
  }
  std::string bytes(size, '\0');
  const std::size_t result = ZSTD_decompress(bytes.data(), bytes.size(), frame.data(), frame.size());
  if (ZSTD_isError(result) != 0) throw FormatError(ZSTD_getErrorName(result));
  if (result != size) throw FormatError("the Zstandard frame is shorter than it says");
  return bytes;
}

void append_skippable_frame(std::string_view content, std::string& out) {
  append_number(kSkippableMagic, out);
  append_number(static_cast<std::uint32_t>(content.size()), out);
  out += content;
}

std::optional<std::string_view> take_skippable_frame(std::string_view& bytes) {
  if (bytes.size() < kSkippableHead || number_at(bytes, 0) != kSkippableMagic) return std::nullopt;
  const std::size_t size = number_at(bytes, sizeof(std::uint32_t));
  if (size > bytes.size() - kSkippableHead) return std::nullopt;
  const std::string_view content = bytes.substr(kSkippableHead, size);
  bytes.remove_prefix(kSkippableHead + size);
  return content;
}

}  // namespace bertprep
