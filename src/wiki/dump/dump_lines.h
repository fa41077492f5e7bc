// DumpLines: the lines of a dump that contain a "<", or its tags; the others are text, and are copied at once.
//
// Lines may end in LF, CR or CRLF, which become LF. Memory: a block of the stream and the longest line, up to the limit
// of a page.
#pragma once

#include "stream/byte_stream.h"
#include "wiki/dump/wiki_page.h"

namespace bertprep {

class DumpLines {
 public:
  enum class Found {
    kLine,
    kGap,  // a damaged part is missing here: the next bytes may begin within a line
    kEnd,
  };

  // `bytes` is kept by reference. With `first_byte`, the stream begins at this byte of the decompressed dump, possibly
  // within a line, whose rest is skipped.
  explicit DumpLines(ByteStream& bytes, std::optional<std::uint64_t> first_byte = {})
      : bytes_(bytes), is_within_line_(first_byte.has_value()), block_byte_(first_byte.value_or(0)) {}

  // Reads tags instead of lines; before the first byte is read.
  void read_tags() { of_tags_ = true; }

  // The next line with a "<", or the next tag, comment, CDATA section or processing instruction, from its "<" to its
  // ">"; it is valid until the next call. What is before it goes to `text`, unless it is null. Throws as
  // ByteStream::next_block does.
  Found next(std::string_view& line, PageText* text);

  FileBytes gap() const { return *bytes_.place().gap; }  // after kGap: the bytes of the file that are missing

  // The middle of the last line was dropped, as it exceeds the limit of a page.
  bool is_truncated() const { return is_truncated_; }
  // The position of byte `at` of the last line: in the decompressed dump or, if BlockPlace::file_byte is known, that
  // of its block in the file.
  std::uint64_t place(std::size_t at) const { return place_of(line_byte_ + at); }
  std::uint64_t end_place() const { return place_of(end_byte()); }  // the end of the bytes read
  // The place of the last skipped byte of the line in which the stream begins.
  std::uint64_t skipped_place() const { return skipped_place_; }
  bool has_blocks() const { return !blocks_.empty(); }  // places are those of blocks in the file

 private:
  enum class Loaded { kBlock, kGap, kEnd };

  bool find(std::string_view& line, PageText* text);
  bool find_in_block(std::string_view& line, PageText* text);
  bool finish_started_line(std::string_view& line, PageText* text);
  bool find_tag_in_block(std::string_view& tag, PageText* text);
  bool finish_started_tag(std::string_view& tag);
  void keep(std::string_view line, PageText* text) const;
  void start_line(std::string_view part);
  bool continue_to(char end);
  Loaded load();
  std::string_view with_line_feeds(std::string_view raw);
  void note_block();
  std::uint64_t end_byte() const { return block_byte_ + raw_bytes_; }
  std::uint64_t byte_in_block(std::size_t at) const;
  std::uint64_t place_of(std::uint64_t byte) const;

  // A block of the file with a part of the current line.
  struct FileBlock {
    std::uint64_t byte = 0;  // of the decompressed dump
    std::uint64_t file_byte = 0;
  };

  ByteStream& bytes_;
  std::string_view block_;            // the rest of the current block
  std::string cleaned_;               // the block without CRs, if it had any
  std::vector<std::size_t> dropped_;  // LFs dropped from it: the sizes of the kept text before them
  std::vector<FileBlock> blocks_;
  std::string started_;  // a line that ends in a later block
  bool has_started_ = false;
  bool ends_in_cr_ = false;
  bool is_truncated_ = false;
  bool is_at_end_ = false;
  bool is_within_line_ = false;
  bool of_tags_ = false;
  std::uint64_t skipped_place_ = 0;
  bool is_gap_open_ = false;
  std::uint64_t block_byte_ = 0;
  std::uint64_t raw_bytes_ = 0;  // of the current block
  std::uint64_t line_byte_ = 0;
};

}  // namespace bertprep
