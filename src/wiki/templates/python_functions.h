// The functions and constants of Python that an expression may name.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "wiki/templates/python_number.h"

namespace bertprep {

using PythonArguments = std::span<const PythonNumber>;

struct PythonFunction {
  std::string_view name;
  std::size_t fewest = 1;  // arguments
  std::size_t most = 1;
  MaybeNumber (*call)(PythonArguments arguments) = nullptr;
};

// abs, int, float, round, min, max and pow; floor, ceil, trunc, exp, ln, sin, cos, tan, asin, acos and atan. Null for
// any other name.
const PythonFunction* find_python_function(std::string_view name);

// pi and e.
MaybeNumber python_constant(std::string_view name);

}  // namespace bertprep
