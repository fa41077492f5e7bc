// JsonScan: where a JSON value ends, found by its brackets and quotes without parsing it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bertprep {

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
inline constexpr const char* kSpreadJsonHint = "write an object a line: jq -c . FILE > FILE.jsonl";

// Of a file by its first bytes, which may begin with blanks.
JsonLayout json_layout_of(std::string_view head);

// Whether the text, which does not begin with blanks, begins as an object with a key or as an array of such objects
// does; neither does prose that begins with a bracket.
bool begins_as_json_objects(std::string_view text);
// The same for an array of strings.
bool begins_as_json_strings(std::string_view text);

}  // namespace bertprep
