#include "stream/zstd_codec.h"

#include <zstd.h>

#include <memory>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

constexpr int kLargestWindowLog = 31;

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

LibraryVersion version_of_zstd() {
  return {"Zstandard", ZSTD_VERSION_STRING, ::ZSTD_versionString()};
}

void append_zstd_frame(std::string_view bytes, int level, std::string& out) {
  const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
  if (context == nullptr) throw IoError("out of memory to compress", "zstd", "lower --memory or -j");
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  const std::size_t begin = out.size();
  out.resize(begin + ZSTD_compressBound(bytes.size()));
  const std::size_t size =
      ZSTD_compress2(context.get(), out.data() + begin, out.size() - begin, bytes.data(), bytes.size());
  if (ZSTD_isError(size) != 0) throw IoError(ZSTD_getErrorName(size), "zstd", "this should not happen; report it");
  out.resize(begin + size);
}

}  // namespace bertprep
