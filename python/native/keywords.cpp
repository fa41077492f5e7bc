#include "keywords.h"

#include "base/nearest_name.h"

namespace bertprep::python {
namespace {

std::string type_of_value(const py::handle& value) {
  return py::str(py::type::handle_of(value).attr("__name__"));
}

[[noreturn]] void refuse(const std::string& name, const char* wanted, const py::handle& value) {
  throw_type_error(name + " must be " + wanted + ", not " + type_of_value(value));
}

bool is_path(const py::handle& value) {
  return py::isinstance<py::str>(value) || py::hasattr(value, "__fspath__");
}

bool is_list(const py::handle& value) {
  return py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value);
}

std::string number_text(const std::string& name, const py::handle& value) {
  PyObject* number = PyNumber_Index(value.ptr());
  if (number == nullptr) {
    PyErr_Clear();
    refuse(name, "a whole number", value);
  }
  return py::str(py::reinterpret_steal<py::object>(number));
}

bool has_choice(std::string_view choices, std::string_view value) {
  return ("|" + std::string(choices) + "|").find("|" + std::string(value) + "|") != std::string::npos;
}

}  // namespace

std::string keyword_of(std::string_view field) {
  if (field == "for") return "trainer";
  std::string name(field);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

Keywords::Keywords(const py::dict& given) {
  for (const auto& [name, value] : given) {
    if (!value.is_none()) given_[py::cast<std::string>(name)] = py::reinterpret_borrow<py::object>(value);
  }
}

const py::object* Keywords::take(std::string_view field) {
  const std::string name = keyword_of(field);
  known_.insert(name);
  const auto found = given_.find(name);
  return found == given_.end() ? nullptr : &found->second;
}

py::object Keywords::object(const std::string& name, const char* help) {
  if (list_ != nullptr && *help != '\0') list_->push_back({name, ValueKind::kObject, {}, {}, help});
  known_.insert(name);
  const auto found = given_.find(name);
  return found == given_.end() ? py::object(py::none()) : found->second;
}

std::filesystem::path Keywords::path(const std::string& name, const char* help) {
  const py::object given = object(name, help);
  return given.is_none() ? std::string() : path_of(given, name);
}

std::vector<std::string> Keywords::names(const std::string& name, const char* help) {
  const py::object given = object(name, help);
  return given.is_none() ? std::vector<std::string>() : paths_of(given, name);
}

std::vector<std::filesystem::path> Keywords::files(const std::string& name, const char* help) {
  const std::vector<std::string> found = names(name, help);
  return {found.begin(), found.end()};
}

bool Keywords::flag(const std::string& name, const char* help) {
  const py::object given = object(name, help);
  return !given.is_none() && text_of(name, ValueKind::kSwitch, {}, given) == "true";
}

std::uint64_t Keywords::count(const std::string& name, const char* help) {
  const py::object given = object(name, help);
  if (given.is_none()) return 0;
  if (!py::isinstance<py::int_>(given) || py::isinstance<py::bool_>(given)) refuse(name, "an int", given);
  const long long number = PyLong_AsLongLong(given.ptr());
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  if (number < 1) throw ConfigError(name + " is " + std::to_string(number) + ", it must be at least 1");
  return static_cast<std::uint64_t>(number);
}

py::object Keywords::required(const std::string& name) {
  const py::object given = object(name);
  if (list_ == nullptr && given.is_none()) refuse(name, "a path", given);
  return given;
}

std::filesystem::path Keywords::path(const std::string& name) {
  required(name);
  return path(name, "");
}

std::uint64_t Keywords::number(const std::string& name) {
  const py::object given = object(name);
  return given.is_none() ? 0 : py::cast<std::uint64_t>(given);
}

std::vector<std::filesystem::path> Keywords::files(const std::string& name) {
  required(name);
  return files(name, "");
}

void Keywords::require_all_known(const std::string& function) const {
  const std::vector<std::string> names(known_.begin(), known_.end());
  for (const auto& [name, value] : given_) {
    if (known_.contains(name)) continue;
    throw_type_error(function + "() has no option '" + name + "'" + suggestion_text(name, names));
  }
}

std::string Keywords::text_of(const std::string& name, ValueKind kind, std::string_view choices,
                              const py::object& value) {
  const bool is_bool = py::isinstance<py::bool_>(value);
  if (kind == ValueKind::kSwitch) {
    if (!is_bool) refuse(name, "True or False", value);
    return value.cast<bool>() ? "true" : "false";
  }
  if (kind == ValueKind::kChoice && is_bool && has_choice(choices, "yes")) return value.cast<bool>() ? "yes" : "no";
  if (is_bool) refuse(name, kind == ValueKind::kChoice ? "a string" : "a number or a string", value);
  if (py::isinstance<py::str>(value)) return path_of(value, name);
  if (kind == ValueKind::kInteger) return number_text(name, value);
  if (kind == ValueKind::kReal) {
    const double number = PyFloat_AsDouble(value.ptr());
    if (PyErr_Occurred() == nullptr) return shortest_decimal(number);
    PyErr_Clear();
    refuse(name, "a number", value);
  }
  if (is_path(value)) return path_of(value, name);
  if (is_list(value) && kind == ValueKind::kText) {
    std::string text;
    for (const std::string& part : paths_of(value, name)) text += (text.empty() ? "" : ",") + part;
    return text;
  }
  if (PyIndex_Check(value.ptr()) != 0) return number_text(name, value);
  refuse(name, "a string", value);
}

std::string path_of(const py::handle& value, const std::string& name) {
  if (!is_path(value)) refuse(name, "a path", value);
  // With surrogates for bytes that are not UTF-8, as file names may have.
  return py::bytes(py::module_::import("os").attr("fsencode")(value));
}

std::vector<std::string> paths_of(const py::handle& value, const std::string& name) {
  if (is_path(value)) return {path_of(value, name)};
  if (!is_list(value)) refuse(name, "a path or a list of paths", value);
  std::vector<std::string> paths;
  for (const py::handle& path : value) paths.push_back(path_of(path, name));
  return paths;
}

}  // namespace bertprep::python
