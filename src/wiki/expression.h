// Evaluation of the part of Python's expressions that wiki/arithmetic.h lists.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bertprep {

// The result as Python's str() writes it; nothing for what is no such expression or has no value. Time is linear in
// the text, and parentheses nest 200 deep at most, as in Python.
std::optional<std::string> evaluate(std::string_view expression);

}  // namespace bertprep
