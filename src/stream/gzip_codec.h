// gzip (RFC 1952) by zlib: consecutive members are one stream; zeros after the last one are padding.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/library_version.h"
#include "stream/decoded_stream.h"

namespace bertprep {

std::unique_ptr<Codec> make_gzip_codec();

// The checksum of gzip (RFC 1952, section 8).
std::uint32_t crc32_of(std::string_view bytes);

LibraryVersion version_of_zlib();

}  // namespace bertprep
