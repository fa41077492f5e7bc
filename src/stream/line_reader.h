// LineReader: the lines of a stream.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "stream/byte_stream.h"

namespace bertprep {

class LineReader {
 public:
  // `name` is for messages. The stream begins at line `first_line` and byte `first_byte` of what has the name. Throws
  // what the stream throws.
  LineReader(std::string name, std::unique_ptr<ByteStream> bytes, std::uint64_t first_line = 1,
             std::uint64_t first_byte = 0);

  // The next line without its LF (CR is data); false at the end. A last line without LF counts; after a final
  // LF there is no further line. The view is valid until the next call. Memory: the longest line.
  bool next(std::string_view& line);

  std::uint64_t line_number() const { return line_number_; }  // of the last line, from 1
  std::uint64_t line_offset() const { return line_offset_; }  // its first byte, decompressed
  const std::string& name() const { return name_; }

 private:
  bool take_line(std::string_view& line);
  bool finish_line_across_blocks(std::string_view& line);

  std::string name_;
  std::unique_ptr<ByteStream> bytes_;
  std::string_view block_;  // what is left of the last block
  std::string joined_;      // a line that lies in several blocks
  std::uint64_t line_number_ = 0;
  std::uint64_t line_offset_ = 0;
  std::uint64_t consumed_ = 0;
};

}  // namespace bertprep
