// DumpLines: the lines of a dump that hold a "<"; the others are text, and are copied in one go.
//
// Lines end at LF, CR or CRLF, and all end in LF here. Memory: a block of the stream and the longest line, of which no
// more is held than a page may have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "stream/byte_stream.h"
#include "wiki/page_text.h"

namespace bertprep {

class DumpLines {
 public:
  enum class Found {
    kLine,
    kGap,  // a damaged part is missing here: what comes next may begin within a line
    kEnd,
  };

  // `bytes` is kept by reference.
  explicit DumpLines(ByteStream& bytes) : bytes_(bytes) {}

  // The next line with a "<"; it is valid until the next call. Lines before it go to `text`, or nowhere if it is null.
  // Throws as ByteStream::next_block does.
  Found next(std::string_view& line, PageText* text);

  // The middle of the last line was left out, as it is longer than a page may be.
  bool is_cut() const { return is_cut_; }
  // About where the last line begins, in bytes of the decompressed dump.
  std::uint64_t line_byte() const { return line_byte_; }
  std::uint64_t end_byte() const { return block_byte_ + raw_bytes_; }  // of what has been read

 private:
  enum class Loaded { kBlock, kGap, kEnd };

  bool find_in_block(std::string_view& line, PageText* text);
  bool finish_started_line(std::string_view& line, PageText* text);
  void keep(std::string_view line, PageText* text) const;
  void start_line(std::string_view part);
  Loaded load();
  std::string_view with_line_feeds(std::string_view raw);

  ByteStream& bytes_;
  std::string_view block_;  // what is left of the present block
  std::string cleaned_;     // the block, where it had CRs
  std::string started_;     // the line whose end lies in a later block
  bool has_started_ = false;
  bool ends_in_cr_ = false;
  bool is_cut_ = false;
  bool is_at_end_ = false;
  bool is_gap_open_ = false;
  std::uint64_t block_byte_ = 0;
  std::uint64_t raw_bytes_ = 0;  // of the present block
  std::uint64_t line_byte_ = 0;
};

}  // namespace bertprep
