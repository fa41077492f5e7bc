// Zstandard (RFC 8878) by libzstd. Reading: consecutive frames are one stream, skippable frames are skipped. Windows of
// up to 2 GiB (zstd --long=31) are read; the window is the memory that a stream uses.
#pragma once

#include "base/library_version.h"
#include "stream/decoded_stream.h"

struct ZSTD_DCtx_s;

namespace bertprep {

std::unique_ptr<Codec> make_zstd_codec();

// ZstdFrames: decompresses frames whose bytes are all there, straight to their place. For one thread.
class ZstdFrames {
 public:
  ZstdFrames();

  // False: they are damaged, or don't give exactly the bytes of `out`.
  bool decode(std::string_view packed, std::span<char> out);

 private:
  struct Free {
    void operator()(ZSTD_DCtx_s* context) const;
  };
  std::unique_ptr<ZSTD_DCtx_s, Free> context_;
};

LibraryVersion version_of_zstd();

// Zstandard frames: blocks that are compressed independently, so that threads can share the work. Every reader treats
// consecutive frames as one stream (RFC 8878, section 3).

// Appends `bytes` as one frame with its size and checksum. Level 1 to 19. The result depends on the version of libzstd.
void append_zstd_frame(std::string_view bytes, int level, std::string& out);
// Undoes append_zstd_frame(). Throws FormatError for a damaged frame, and for more than `max_bytes`.
std::string zstd_frame_bytes(std::string_view frame, std::uint64_t max_bytes);

// Appends a frame with private data, which decompressors skip (RFC 8878, section 3.1.2).
void append_skippable_frame(std::string_view content, std::string& out);
// If `bytes` begin with a skippable frame, returns its content and removes it from `bytes`.
std::optional<std::string_view> take_skippable_frame(std::string_view& bytes);

}  // namespace bertprep
