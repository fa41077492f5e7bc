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

// JsonScan: where a JSON value ends, found by its brackets and quotes without parsing it.
class JsonScan {
 public:
  // Takes bytes of one value, from its first on, and gives how many of them belong to it: all of them unless the value
  // is over or broken. Numbers and words are over in front of the byte that ends them.
  std::size_t take(std::string_view bytes);

  bool is_over() const { return is_over_; }
  // Whether no JSON begins like this: a line feed within a string, brackets of different kinds, or an object or array
  // where an object has to have a key. Everything else is for a parser.
  bool is_broken() const { return is_broken_; }

 private:
  std::size_t take_string(std::string_view bytes, std::size_t at);
  void open(char bracket);
  void close(char bracket);

  std::string open_;  // the brackets that are not closed
  char before_ = 0;   // the last byte outside of strings that is not blank
  bool is_in_string_ = false;
  bool is_escaped_ = false;
  bool is_over_ = false;
  bool is_broken_ = false;
};

enum class JsonLayout {
  kLines,   // an object a line, as JSON Lines are
  kArray,   // an array
  kSpread,  // an object that goes over several lines
};

// What to do with a file of such objects.
inline constexpr const char* kSpreadJsonHint = "write one object per line: jq -c . FILE > FILE.jsonl";

// Of a file by its first bytes, which may begin with blanks.
JsonLayout json_layout_of(std::string_view head);

// Whether the text, which does not begin with blanks, begins as an object with a key or as an array of such objects
// does; neither does prose that begins with a bracket.
bool begins_as_json_objects(std::string_view text);
// The same for an array of strings.
bool begins_as_json_strings(std::string_view text);

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
