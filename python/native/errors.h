// Errors of the library as exceptions of bertprep.errors.
#pragma once

#include <pybind11/pybind11.h>

namespace bertprep::python {

namespace py = pybind11;

void register_errors();

// Sets Python's error: a TypeError with this text.
[[noreturn]] void throw_type_error(const std::string& text);

}  // namespace bertprep::python
