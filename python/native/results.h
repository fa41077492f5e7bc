// Results as objects of Python: each struct is described once, by the names and values of its fields. From these
// descriptions, scripts/update_python_stubs.py writes the dataclasses of bertprep/records.py.
#pragma once

#include <pybind11/pybind11.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "bertprep/base/progress.h"

namespace bertprep::python {

namespace py = pybind11;

// A pathlib.Path.
py::object path_object(const std::filesystem::path& path);

// Text of files may not be UTF-8.
inline py::str text_object(std::string_view text) {
  return py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape"));
}

// A value, with its type in Python's words.
struct Converted {
  py::object value;
  std::string type;
};

struct RecordField {
  const char* name;
  Converted content;
};

// `type` is a class of bertprep.results, which documents `about`.
struct Record {
  const char* type;
  const char* about;
  std::vector<RecordField> fields;
};

py::object object_of(const Record& record);

template <class T>
concept Described = requires(const T& value) {
  described(value);
};
template <class T>
concept Map = requires {
  typename T::mapped_type;
};

template <class T>
Converted converted(const T& value);

template <class T>
std::string type_of() {
  if constexpr (Described<T>) {
    return described(T{}).type;
  } else {
    return converted(T{}).type;
  }
}

template <class T>
Converted converted(const T& value) {
  if constexpr (std::is_base_of_v<py::object, T>) {
    return {value, std::is_same_v<T, py::dict> ? "dict[str, Any]" : "Any"};
  } else if constexpr (std::is_same_v<T, bool>) {
    return {py::bool_(value), "bool"};
  } else if constexpr (std::is_arithmetic_v<T>) {
    return {py::cast(value), std::is_integral_v<T> ? "int" : "float"};
  } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
    return {path_object(value), "pathlib.Path"};
  } else if constexpr (std::is_convertible_v<T, std::string_view>) {
    return {text_object(value), "str"};
  } else if constexpr (std::is_same_v<T, ReasonCounts>) {
    return converted(value.by_reason());
  } else if constexpr (Described<T>) {
    return {object_of(described(value)), type_of<T>()};
  } else if constexpr (requires { value.has_value(); }) {
    return {value ? converted(*value).value : py::none(), "Optional[" + type_of<typename T::value_type>() + "]"};
  } else if constexpr (Map<T>) {
    py::dict values;
    for (const auto& [name, item] : value) values[text_object(name)] = converted(item).value;
    return {values, "dict[str, " + type_of<typename T::mapped_type>() + "]"};
  } else {
    py::list values;
    for (const auto& item : value) values.append(converted(item).value);
    return {values, "list[" + type_of<typename T::value_type>() + "]"};
  }
}

template <class T>
py::object to_object(const T& value) {
  return converted(value).value;
}

template <class T>
RecordField field(const char* name, const T& value) {
  return {name, converted(value)};
}

// FIELDS(object, name, ...) is field("name", object.name), ...: of up to 27 names.
#define FIELDS(object, ...) FIELDS_9(FIELDS_9(FIELDS_9(FIELD(object, __VA_ARGS__))))
#define FIELDS_9(...) FIELDS_3(FIELDS_3(FIELDS_3(__VA_ARGS__)))
#define FIELDS_3(...) FIELDS_1(FIELDS_1(FIELDS_1(__VA_ARGS__)))
#define FIELDS_1(...) __VA_ARGS__
#define FIELD(object, name, ...) field(#name, object.name) __VA_OPT__(, NEXT_FIELD NO_ARGUMENTS(object, __VA_ARGS__))
#define NEXT_FIELD() FIELD
#define NO_ARGUMENTS ()

// None for an empty text or path.
template <class T>
std::optional<T> if_any(const T& value) {
  return value.empty() ? std::nullopt : std::optional(value);
}

// A result with what the library noted.
template <class Report>
struct Noted {
  Report report{};
  std::vector<std::string> notes{};
};

// An object of a class of bertprep.results that no struct describes, whose fields are given in order.
template <class... Fields>
py::object record(const char* type, Fields&&... fields) {
  return py::module_::import("bertprep.results").attr(type)(std::forward<Fields>(fields)...);
}

}  // namespace bertprep::python
