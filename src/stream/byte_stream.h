// ByteStream: bytes from front to back, whatever holds them.
#pragma once

#include <string_view>

namespace bertprep {

class ByteStream {
 public:
  virtual ~ByteStream() = default;

  // The next bytes, as many as are at hand; empty at the end, and from then on. The view is valid until the next call.
  // Throws IoError, and FormatError (file and byte offset) for damage that ends the stream.
  virtual std::string_view next_block() = 0;

  // Whether bytes are missing between the last block and the one before it: a damaged part was left out and reported.
  virtual bool is_after_gap() const { return false; }
};

}  // namespace bertprep
