// JsonElements: the elements of a JSON array, one by one. Memory: the longest element.
//
// An element with unbalanced quotes or brackets extends to the next line with the indentation of earlier elements, so
// one bad element does not affect others. If elements don't begin lines, it ends the reading. A missing comma between
// elements that begin lines does no harm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "source/input/article_limit.h"
#include "stream/byte_stream.h"

namespace bertprep {

// JsonScan: finds the end of a JSON value by its brackets and quotes, without parsing it.
class JsonScan {
 public:
  // Takes bytes of one value, from its first on, and returns how many of them belong to it: all of them unless the
  // value is complete or broken. Numbers and words end before the byte that terminates them.
  std::size_t take(std::string_view bytes);

  bool is_over() const { return is_over_; }
  // Whether this can't be JSON: a line feed within a string, mismatched brackets, or an object or array in place of a
  // key. The parser finds other faults.
  bool is_broken() const { return is_broken_; }

 private:
  std::size_t take_string(std::string_view bytes, std::size_t at);
  void open(char bracket);
  void close(char bracket);

  std::string open_;  // the open brackets
  char before_ = 0;   // the last byte outside of strings other than blanks
  bool is_in_string_ = false;
  bool is_escaped_ = false;
  bool is_over_ = false;
  bool is_broken_ = false;
};

enum class JsonLayout {
  kLines,   // one object per line, as in JSON Lines
  kArray,   // an array
  kSpread,  // an object spread over several lines
};

// How to fix a file of such objects.
inline constexpr const char* kSpreadJsonHint = "write one object per line: jq -c . FILE > FILE.jsonl";

// Judges a file by its first bytes, which may begin with blanks.
JsonLayout json_layout_of(std::string_view head);

// Whether the text, which does not begin with blanks, begins as an object with a key or an array of such objects; prose
// that begins with a bracket doesn't.
bool begins_as_json_objects(std::string_view text);
// The same for an array of strings.
bool begins_as_json_strings(std::string_view text);

// Its records are elements.
class JsonElements : public RecordCutter {
 public:
  // `bytes` begin with the bracket of the array, possibly after blanks and a byte order mark. `name` is for errors. Of
  // an element longer than `max_bytes`, only the first 64 KiB are kept.
  JsonElements(std::string name, std::unique_ptr<ByteStream> bytes, std::uint64_t max_bytes);

  // Overwrites `element` with the next one, which may be invalid JSON; false at the end of the array. Throws
  // FormatError with line and byte if it is not an array, or the array is truncated or followed by other text. Passes
  // on the stream's exceptions.
  bool next(std::string& element);

 private:
  enum class Stage { kStart, kFirst, kElements, kOver };

  bool fill();
  void drop(std::size_t count);
  void skip_blanks();
  void enter();
  bool is_at_end_bracket();
  void take_element(std::string& element);
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
  std::string_view block_;  // the rest of the last block
  std::string put_back_;    // holds the bytes of `block_` after put_back()
  Stage stage_ = Stage::kStart;
  std::uint64_t line_ = 1;  // of the next byte
  std::uint64_t byte_ = 0;
  bool is_at_line_start_ = true;               // ignoring blanks
  std::string indent_;                         // the blanks before the next byte on its line
  std::optional<std::string> element_indent_;  // of the last element that begins a line
};

}  // namespace bertprep
