#include "stream/zstd_frame.h"

#include <zstd.h>

#include <memory>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

}  // namespace

void append_zstd_frame(std::string_view bytes, int level, std::string& out) {
  const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
  if (context == nullptr) throw IoError("no memory to compress with", "zstd", "lower --memory or -j");
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
