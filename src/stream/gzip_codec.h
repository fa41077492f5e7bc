// gzip (RFC 1952) by zlib: consecutive members are one stream; zeros after the last one are padding.
#pragma once

#include <memory>

#include "base/library_version.h"
#include "stream/decoded_stream.h"

namespace bertprep {

std::unique_ptr<Codec> make_gzip_codec();

LibraryVersion version_of_zlib();

}  // namespace bertprep
