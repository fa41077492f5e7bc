// TextInput: one stream of text with the name it is reported under.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "stream/byte_stream.h"

namespace bertprep {

struct TextInput {
  std::string name;  // FILE, or ARCHIVE:MEMBER
  std::unique_ptr<ByteStream> bytes;
  std::string file_name{};  // the last part of the path of the file or member; empty: that of `name`
  // Where the bytes begin in the text: the number of a line, and its first byte.
  std::uint64_t first_line = 1;
  std::uint64_t first_byte = 0;
};

}  // namespace bertprep
