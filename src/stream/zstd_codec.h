// Zstandard (RFC 8878) by libzstd. Reading: frames in a row are one stream, skippable frames are skipped. Windows of up
// to 2 GiB (zstd --long=31) are read; the window is what a stream takes of memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
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
// What append_zstd_frame() made a frame of. Throws FormatError for a damaged one, and one of more than `most_bytes`.
std::string zstd_frame_bytes(std::string_view frame, std::uint64_t most_bytes);

// A frame that readers of the bytes skip, with a few bytes of the writer's own (RFC 8878, section 3.1.2).
void append_skippable_frame(std::string_view content, std::string& out);
// The content of the skippable frame with which `bytes` begin, if they do, and moves them behind it.
std::optional<std::string_view> take_skippable_frame(std::string_view& bytes);

}  // namespace bertprep
