// TableRecords: the records of a table as text, CSV or TSV, one by one. Memory: the longest record.
//
// Grammar: RFC 4180. A field that begins with a quote ends with the next one that is not doubled; separators, line
// feeds and doubled quotes within it are text. In other fields, a quote is an ordinary character.
//
// A record whose quotes are broken ends with its first line, and reading continues with the next line: one bad record
// does not affect others, however late its fault shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "source/input/article_limit.h"
#include "stream/byte_stream.h"

namespace bertprep {

// TableScan: finds the end of a record without splitting it.
class TableScan {
 public:
  explicit TableScan(char separator) : separator_(separator) {}

  // Takes bytes of one record, from its first on, and returns how many of them belong to it, with its line feed: all of
  // them unless the record is complete or broken.
  std::size_t take(std::string_view bytes);

  bool is_over() const { return state_ == State::kOver; }
  // A quote that ends a field is followed by other text.
  bool is_broken() const { return state_ == State::kBroken; }
  bool is_in_quotes() const { return state_ == State::kQuoted; }

 private:
  enum class State { kField, kPlain, kQuoted, kQuote, kReturn, kOver, kBroken };

  std::size_t take_plain(std::string_view bytes, std::size_t at, std::size_t& line_end);
  State after_quote(char c) const;

  State state_ = State::kField;
  char separator_;
};

// Judges a table by its first bytes: a semicolon if its first line has one and no comma, else a comma.
char csv_separator_of(std::string_view head);

class TableRecords : public RecordCutter {
 public:
  // The stream begins at line `first_line` and byte `first_byte` of the file, with a record. `name` is for errors. Of a
  // record longer than `max_bytes`, only the first 64 KiB are kept.
  TableRecords(std::string name, std::unique_ptr<ByteStream> bytes, char separator, std::uint64_t max_bytes,
               std::uint64_t first_line = 1, std::uint64_t first_byte = 0);

  // Overwrites `record` with the next one that is not blank, without its line end (LF or CRLF); false at the end.
  // Throws FormatError if a quote in a record that is too long is never closed. Passes on the stream's exceptions.
  bool next(std::string& record);

 private:
  bool fill();
  void skip_byte_order_mark();
  std::string_view& source() { return front_.empty() ? block_ : front_; }
  void take(std::size_t count, std::string& record);
  void take_rest_of_line(std::string& record);
  bool take_record(std::string& record);
  void recover(std::string& record);
  void put_back_after_first_line(std::string& record);

  std::string name_;
  std::unique_ptr<ByteStream> bytes_;
  char separator_;
  std::uint64_t line_;
  std::uint64_t byte_;
  std::string put_back_;    // lines after the first one of a broken record
  std::string_view front_;  // the rest of them
  std::string_view block_;  // the rest of the last block
};

}  // namespace bertprep
