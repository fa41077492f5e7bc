// Streams that libarchive's filters decompress in one thread: xz, and bzip2 where it does not lie in a file of its own.
#pragma once

#include <memory>
#include <string>

#include "stream/byte_stream.h"

namespace bertprep {

// Streams in a row are one. `name` is for errors. Throws FormatError.
std::unique_ptr<ByteStream> decode_by_filter(std::string name, std::unique_ptr<ByteStream> packed);

}  // namespace bertprep
