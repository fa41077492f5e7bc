// Parser functions: {{#if:}}, {{#switch:}}, {{lc:}} and the like.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "wiki/dump/wiki_page.h"

namespace bertprep {

// The arguments of a template call: names and values in order.
class TemplateArguments {
 public:
  using Entry = std::pair<std::string, std::string>;

  // If a name is given twice, the last value counts, in the first position.
  void set(std::string name, std::string value);
  // Null if missing.
  const std::string* find(std::string_view name) const;
  std::span<const Entry> entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
  std::map<std::string, std::size_t, std::less<>> places_;
};

// Magic words: {{PAGENAME}}, {{CURRENTYEAR}} and the like, whose values come from the page and the site.

// Appends the value of `name`. False: it is not a magic word. Titles follow the reference's rules: the text before the
// first colon is the namespace.
bool append_magic_word(std::string_view name, const WikiSite& site, const WikiPage& page, std::string& out);

// Whether `text` begins with a <span>, <strong>, <p> or <div> whose class names "error". The reference checks no more
// than that.
bool begins_with_error_mark(std::string_view text);

class BraceExpansion;

struct FunctionCall {
  BraceExpansion& context;
  std::string_view first;                  // the argument after the colon, expanded and stripped
  std::span<const std::string_view> more;  // the other arguments, unexpanded
  std::string& out;
};

using ParserFunction = void (*)(const FunctionCall& call);

// Null if there is no function of this name, ignoring case. Functions append their result; a call with too few or
// invalid arguments appends nothing.
ParserFunction find_parser_function(std::string_view name);

// {{#expr:...}}: arithmetic in wiki markup, with the results of the reference.
//
// The reference passes the text to Python's eval. This is a separate grammar for Python's arithmetic: integers
// (decimal, 0x, 0o, 0b), floating point, True and False; + - * / // % **, unary + - ~, & | ^ << >>, comparisons and
// their chains, and or not, parentheses, abs(x) and round(x), and lists of values between commas. Anything else that
// Python would accept is an error here, as are integers beyond 64 bits and complex results.

// Appends the result as by Python's str(), or the expression marked as an error. First, = becomes == unless after one
// of ! < >, and `mod` becomes %. Time is linear in the text, and at most 200 parentheses may be nested, as in Python.
void append_expression(std::string_view expression, std::string& out);

}  // namespace bertprep
