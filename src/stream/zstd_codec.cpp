#include "stream/zstd_codec.h"

#include <zstd.h>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

constexpr int kLargestWindowLog = 31;

struct FreeContext {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

class ZstdCodec final : public Codec {
 public:
  ZstdCodec() : context_(ZSTD_createDCtx()) {
    if (context_ == nullptr) throw IoError("no memory to decompress with", "zstd");
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

}  // namespace bertprep
