// Streams that libarchive's filters decompress in one thread: xz, and bzip2 inside other data.
#pragma once

#include <memory>
#include <string>

#include "stream/byte_stream.h"

namespace bertprep {

// Consecutive streams are read as one. `name` is for errors. Throws FormatError.
std::unique_ptr<ByteStream> decode_by_filter(std::string name, std::unique_ptr<ByteStream> packed);

}  // namespace bertprep
