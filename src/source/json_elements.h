// JsonElements: the elements of a JSON array, one after the other; memory is that of the longest.
//
// An element whose quotes or brackets don't match is given out up to the next line that begins as those of the elements
// before it did; so one bad element costs no other. Where elements don't begin lines it ends the reading. A comma that
// is missing between elements that begin lines costs nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "stream/byte_stream.h"

namespace bertprep {

class JsonElements {
 public:
  // `bytes` begin with the bracket of the array, perhaps behind blanks and a byte order mark. `name` is for errors. Of
  // an element of more than `most_bytes` the first 64 KiB are given, and the rest streams by.
  JsonElements(std::string name, std::unique_ptr<ByteStream> bytes, std::uint64_t most_bytes);

  // Overwrites `element` with the next one, which need not be good JSON; false at the end of the array. Throws
  // FormatError with line and byte where the array is cut or no array, or something follows it; and what the stream
  // throws.
  bool next(std::string& element);

  // Where the last element begins.
  std::uint64_t line() const { return element_line_; }  // from 1
  std::uint64_t byte() const { return element_byte_; }  // from 0, decompressed
  std::uint64_t element_bytes() const { return element_bytes_; }
  bool is_cut() const { return element_bytes_ > most_bytes_; }

 private:
  enum class Stage { kStart, kFirst, kElements, kOver };

  bool fill();
  void drop(std::size_t count);
  void skip_blanks();
  void enter();
  bool is_at_end_bracket();
  void take_element(std::string& element);
  void add(std::string_view part, std::string& element);
  void recover(std::string& element);
  void return_to_line_start();
  std::string take_line();
  bool begins_element(std::string_view line) const;
  bool ends_array(std::string_view line) const;
  void put_back(std::string line);
  void finish();
  [[noreturn]] void fail(const std::string& reason, const std::string& hint) const;

  std::string name_;
  std::unique_ptr<ByteStream> bytes_;
  std::string_view block_;  // what is left of the last block
  std::string put_back_;    // where `block_` lies behind put_back()
  Stage stage_ = Stage::kStart;
  std::uint64_t line_ = 1;  // of the next byte
  std::uint64_t byte_ = 0;
  bool is_at_line_start_ = true;               // blanks aside
  std::string indent_;                         // the blanks in front of the next byte on its line
  std::optional<std::string> element_indent_;  // of the last element that begins a line
  std::uint64_t element_line_ = 0;
  std::uint64_t element_byte_ = 0;
  std::uint64_t element_bytes_ = 0;
  std::uint64_t most_bytes_;
};

}  // namespace bertprep
