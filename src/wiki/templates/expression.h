// {{#expr:...}}: arithmetic in wiki markup, with the results of the reference.
//
// The reference passes the text to Python's eval. This is a separate grammar for Python's arithmetic: integers
// (decimal, 0x, 0o, 0b), floating point, True and False; + - * / // % **, unary + - ~, & | ^ << >>, comparisons and
// their chains, and or not, parentheses, abs(x) and round(x), and lists of values between commas. Anything else that
// Python would accept is an error here, as are integers beyond 64 bits and complex results.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bertprep {

// Appends the result as by Python's str(), or the expression marked as an error. First, = becomes == unless after one
// of ! < >, and `mod` becomes %.
void append_expression(std::string_view expression, std::string& out);

// The result as by Python's str(); nothing for text that is not such an expression or has no value. Time is linear in
// the text, and at most 200 parentheses may be nested, as in Python.
std::optional<std::string> evaluate(std::string_view expression);

}  // namespace bertprep
