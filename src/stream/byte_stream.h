// ByteStream: bytes from front to back, whatever holds them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bertprep {

// The bytes [begin, end) of a file, as it lies on the disk.
struct FileBytes {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

class ByteStream {
 public:
  virtual ~ByteStream() = default;

  // The next bytes, as many as are at hand; empty at the end, and from then on. The view is valid until the next call.
  // Throws IoError, and FormatError (file and byte offset) for damage that ends the stream.
  virtual std::string_view next_block() = 0;

  // Whether bytes are missing between the last block and the one before it: a damaged part was left out and reported.
  virtual bool is_after_gap() const { return false; }
  // That part, where is_after_gap().
  virtual FileBytes gap() const { return {}; }

  // Where in the file the last block lies, if it is not just as many bytes in as were given: the byte at which a block
  // of bzip2 begins.
  virtual std::optional<std::uint64_t> file_byte() const { return std::nullopt; }
};

}  // namespace bertprep
