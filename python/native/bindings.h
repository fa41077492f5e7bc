// The parts of the module, and results as Python's dataclasses.
#pragma once

#include <pybind11/pybind11.h>

#include <filesystem>
#include <string>
#include <utility>

#include "bertprep/base/progress.h"
#include "keywords.h"

namespace bertprep::python {

namespace py = pybind11;

void bind_tokenizer(py::module_& module);
void bind_text_functions(py::module_& module);
void bind_reading(py::module_& module);
void bind_building(py::module_& module);
void bind_stages(py::module_& module);
void bind_rows(py::module_& module);
void bind_judging(py::module_& module);

// Adds to `options` of the module, by the name of the function, what lists the options that `take` sets.
void define_options(py::module_& module, const char* function, void (*take)(Keywords& keywords));

// An object of the class TYPE of bertprep.results, whose fields are given by name.
template <class... Fields>
py::object record(const char* type, Fields&&... fields) {
  return py::module_::import("bertprep.results").attr(type)(std::forward<Fields>(fields)...);
}

// A pathlib.Path; None for an empty one.
inline py::object path_object(const std::filesystem::path& path) {
  if (path.empty()) return py::none();
  const py::object name = py::module_::import("os").attr("fsdecode")(py::bytes(path.string()));
  return py::module_::import("pathlib").attr("Path")(name);
}

// Text of files may not be UTF-8.
inline py::str text_object(std::string_view text) {
  return py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape"));
}

inline py::dict reasons_object(const ReasonCounts& counts) {
  py::dict reasons;
  for (const auto& [reason, times] : counts.by_reason()) reasons[text_object(reason)] = times;
  return reasons;
}

// Items of a vector as a list, each by `object_of`.
template <class Items, class ObjectOf>
py::list list_object(const Items& items, ObjectOf&& object_of) {
  py::list list;
  for (const auto& item : items) list.append(object_of(item));
  return list;
}

}  // namespace bertprep::python
