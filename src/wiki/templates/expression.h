// {{#expr:...}}: arithmetic on what people write, with the results that the reference gives.
//
// The reference hands the text to Python's eval. This is a grammar of its own for the part of Python that numbers
// need: integers (decimal, 0x, 0o, 0b), floating point, True and False; + - * / // % **, unary + - ~, & | ^ << >>,
// comparisons and their chains, and or not, parentheses, abs(x) and round(x), and lists of values between commas.
// Whatever else Python would take is an error here, and so are whole numbers beyond 64 bits and complex results.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bertprep {

// Appends the result as Python's str() writes it, or the expression marked as an error. Before either, = becomes ==
// unless after one of ! < >, and `mod` becomes %.
void append_expression(std::string_view expression, std::string& out);

// The result as Python's str() writes it; nothing for what is no such expression or has no value. Time is linear in
// the text, and parentheses nest 200 deep at most, as in Python.
std::optional<std::string> evaluate(std::string_view expression);

}  // namespace bertprep
