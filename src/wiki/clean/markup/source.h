// SourceReader: the text of a page without comments, references and tags; what is left are braces, brackets, quotes and
// the marks of lines.
#pragma once

#include <vector>

#include "wiki/clean/markup/tags.h"

namespace bertprep::clean {

class SourceReader {
 public:
  // Replaces `out` by what is left of `source`, which is unescaped once. Tags that shape paragraphs become the marks of
  // chars.h; <nowiki> text is escaped as character references; simple formulas are written as text.
  void read(std::string_view source, std::string& out);
  // Whether `out` then holds kEmptyMark or kLessMark.
  bool has_code() const { return has_code_; }

 private:
  // Where "<name" or "</name" is found next; searched again only when it lies behind.
  struct Finder {
    std::string pattern;
    std::size_t found = 0;
  };

  std::size_t find_next(std::string_view pattern, std::size_t from);
  std::size_t find_tag(const std::string& beginning, std::size_t from);
  std::size_t find_own_closing(const Tag& tag);
  std::size_t find_near_closing(const Tag& tag);
  std::size_t take_comment(std::size_t at);
  std::size_t take_tag(const Tag& tag, std::size_t at);
  std::size_t take_ref(const Tag& tag);
  std::size_t take_broken_ref(std::size_t at, Tag& tag);
  std::size_t take_removed(const Tag& tag);
  std::size_t take_formula(const Tag& tag);
  void append_formula(std::string_view tex);
  std::size_t finish_line(std::size_t end, std::size_t line_end, bool is_stopped);
  std::size_t take_hidden(const Tag& tag);
  void append_plain(std::string_view text, bool is_code);
  void append_protected(std::string_view text);
  std::size_t take_code(const Tag& tag);
  std::string_view body_of(const Tag& tag, std::size_t closing) const;
  bool begins_fraction(std::size_t at) const;
  std::size_t past_tag(std::size_t at) const;

  std::string_view source_;
  std::string* out_ = nullptr;
  std::string lower_source_;
  std::vector<Finder> finders_;
  bool has_code_ = false;
  std::size_t formula_end_ = 0;  // in `out_`, of the last formula that filled a line
  std::size_t code_end_ = 0;     // up to here the source is code, if it is not reached yet
};

}  // namespace bertprep::clean
