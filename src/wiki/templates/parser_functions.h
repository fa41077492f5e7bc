// Parser functions: {{#if:}}, {{#switch:}}, {{lc:}} and the like.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "wiki/dump/wiki_page.h"
#include "wiki/templates/template_call.h"

namespace bertprep {

// Magic words: {{PAGENAME}}, {{CURRENTYEAR}} and the like, whose values come from the page and the site.

// Appends the value of `name`. False: it is not a magic word. Titles follow the reference's rules: the text before the
// first colon is the namespace.
bool append_magic_word(std::string_view name, const WikiSite& site, const WikiPage& page, std::string& out);

// Whether `text` begins with a <span>, <strong>, <p> or <div> whose class names "error". The reference checks no more
// than that.
bool begins_with_error_mark(std::string_view text);

// The services of the expansion for its functions.
class FunctionContext {
 public:
  virtual ~FunctionContext() = default;
  // Appends `text` with its braces expanded.
  virtual void expand(std::string_view text, std::string& out) = 0;
  // False: the page's budget of work does not allow `bytes` more.
  virtual bool spend(std::size_t bytes) = 0;
  // The parts of the call as template arguments, expanded.
  virtual TemplateArguments arguments(std::span<const std::string_view> parts) = 0;
  // The arguments of the innermost enclosing call of template `name`, without namespace; null if there is none.
  virtual const TemplateArguments* arguments_of(std::string_view name) const = 0;
};

struct FunctionCall {
  FunctionContext& context;
  std::string_view first;                  // the argument after the colon, expanded and stripped
  std::span<const std::string_view> more;  // the other arguments, unexpanded
  std::string& out;
};

using ParserFunction = void (*)(const FunctionCall& call);

// Null if there is no function of this name, ignoring case. Functions append their result; a call with too few or
// invalid arguments appends nothing.
ParserFunction find_parser_function(std::string_view name);

// {{#invoke:module|function|...}}: the few functions of Lua modules that the reference implements.
//

// {{#expr:...}}: arithmetic in wiki markup, with the results of the reference.
//
// The reference passes the text to Python's eval. This is a separate grammar for Python's arithmetic: integers
// (decimal, 0x, 0o, 0b), floating point, True and False; + - * / // % **, unary + - ~, & | ^ << >>, comparisons and
// their chains, and or not, parentheses, abs(x) and round(x), and lists of values between commas. Anything else that
// Python would accept is an error here, as are integers beyond 64 bits and complex results.

// Appends the result as by Python's str(), or the expression marked as an error. First, = becomes == unless after one
// of ! < >, and `mod` becomes %.
void append_expression(std::string_view expression, std::string& out);

// The result as by Python's str(); nothing for text that is not such an expression or has no value. Time is linear in
// the text, and at most 200 parentheses may be nested, as in Python.
std::optional<std::string> evaluate(std::string_view expression);

}  // namespace bertprep
