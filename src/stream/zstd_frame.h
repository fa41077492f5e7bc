// Zstandard frames: blocks that are compressed each on its own, so that threads can share the work. Frames in a row are
// one stream for every reader (RFC 8878, section 3).
#pragma once

#include <string>
#include <string_view>

namespace bertprep {

// Appends `bytes` as one frame with its size and checksum. Level 1 to 19. The result depends on the version of libzstd.
void append_zstd_frame(std::string_view bytes, int level, std::string& out);

}  // namespace bertprep
