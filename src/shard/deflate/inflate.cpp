#include "shard/deflate/inflate.h"

#include <libdeflate.h>

#include <new>

namespace bertprep {

Inflater::Inflater() : decompressor_(::libdeflate_alloc_decompressor()) {
  if (!decompressor_) throw std::bad_alloc();
}

void Inflater::Free::operator()(libdeflate_decompressor* decompressor) const {
  ::libdeflate_free_decompressor(decompressor);
}

bool Inflater::inflate(std::span<const std::byte> stream, std::span<std::byte> out) {
  return ::libdeflate_zlib_decompress(decompressor_.get(), stream.data(), stream.size(), out.data(), out.size(),
                                      nullptr) == LIBDEFLATE_SUCCESS;
}

// The library itself does not report its version.
LibraryVersion version_of_libdeflate() {
  return {"libdeflate", LIBDEFLATE_VERSION_STRING, LIBDEFLATE_VERSION_STRING};
}

}  // namespace bertprep
