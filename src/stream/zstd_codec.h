// Zstandard (RFC 8878) by libzstd: frames in a row are one stream, skippable frames are skipped. Windows of up to 2 GiB
// (zstd --long=31) are read; the window is what a stream takes of memory.
#pragma once

#include <memory>

#include "base/library_version.h"
#include "stream/codec.h"

namespace bertprep {

std::unique_ptr<Codec> make_zstd_codec();

LibraryVersion version_of_zstd();

}  // namespace bertprep
