// Zstandard (RFC 8878) by libzstd. Reading: frames in a row are one stream, skippable frames are skipped. Windows of up
// to 2 GiB (zstd --long=31) are read; the window is what a stream takes of memory.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/library_version.h"
#include "stream/decoded_stream.h"

namespace bertprep {

std::unique_ptr<Codec> make_zstd_codec();

LibraryVersion version_of_zstd();

// Zstandard frames: blocks that are compressed each on its own, so that threads can share the work. Frames in a row are
// one stream for every reader (RFC 8878, section 3).

// Appends `bytes` as one frame with its size and checksum. Level 1 to 19. The result depends on the version of libzstd.
void append_zstd_frame(std::string_view bytes, int level, std::string& out);

}  // namespace bertprep
