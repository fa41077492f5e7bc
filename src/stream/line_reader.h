// LineReader: the lines of a stream.
#pragma once

#include <limits>

#include "stream/byte_stream.h"

namespace bertprep {

class LineReader {
 public:
  // `name` is for messages. The stream begins at line `first_line` and byte `first_byte` of the file. Passes on the
  // stream's exceptions.
  LineReader(std::string name, std::unique_ptr<ByteStream> bytes, std::uint64_t first_line = 1,
             std::uint64_t first_byte = 0);

  // The next line without its LF (CR is data); false at the end. A last line without LF counts; after a final
  // LF there is no further line. The view is valid until the next call. Memory: the longest line within the
  // limit.
  // Of a line longer than the limit, returns the first 64 KiB and skips the rest.
  bool next(std::string_view& line);
  // Without a call there is no limit.
  void set_limit(std::uint64_t bytes) { max_bytes_ = bytes; }

  std::uint64_t line_number() const { return line_number_; }  // of the last line, from 1
  std::uint64_t line_offset() const { return line_offset_; }  // its first byte, decompressed
  std::uint64_t line_bytes() const { return line_bytes_; }    // including the part over the limit
  bool is_truncated() const { return line_bytes_ > max_bytes_; }
  const std::string& name() const { return name_; }

 private:
  bool take_line(std::string_view& line);
  void join(std::string_view part);
  bool finish_line_across_blocks(std::string_view& line);

  std::string name_;
  std::unique_ptr<ByteStream> bytes_;
  std::string_view block_;  // the rest of the last block
  std::string joined_;      // a line that spans several blocks
  std::uint64_t max_bytes_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t line_bytes_ = 0;
  std::uint64_t line_number_ = 0;
  std::uint64_t line_offset_ = 0;
  std::uint64_t consumed_ = 0;
};

}  // namespace bertprep
