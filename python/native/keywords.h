// Keywords: options given to a function of Python, by the fields of the option structs.
#pragma once

#include <pybind11/pybind11.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/fields.h"
#include "errors.h"

namespace bertprep::python {

// "seq_len" for seq-len, "trainer" for the Python word `for`.
std::string keyword_of(std::string_view field);

enum class ValueKind { kInteger, kReal, kSwitch, kText, kChoice, kObject };

// An option for signatures, stubs and documentation.
struct KnownOption {
  std::string name;
  ValueKind kind;
  std::string preset;
  std::string choices;
  std::string help;
};

class Keywords {
 public:
  // Names and values; None is not given.
  explicit Keywords(const py::dict& given);
  // To list the options of a function instead.
  explicit Keywords(std::vector<KnownOption>& list) : list_(&list) {}

  // Sets the given fields of `options`. `only`: the fields that may be given; empty: all. Throws ConfigError and
  // TypeError.
  template <class Options>
  void set(Options& options, std::initializer_list<std::string_view> only = {}) {
    for (const auto& field : fields_of<Options>()) {
      if (only.size() != 0 && std::find(only.begin(), only.end(), field.name) == only.end()) continue;
      const bool is_text = std::holds_alternative<TextMember<Options>>(field.member);
      const ValueKind kind = is_text                 ? ValueKind::kText
                             : field.choices.empty() ? static_cast<ValueKind>(field.member.index())
                                                     : ValueKind::kChoice;
      if (list_ != nullptr) {
        list_->push_back({keyword_of(field.name), kind, value_of(options, field).value, std::string(field.choices),
                          std::string(field.help)});
        continue;
      }
      const py::object* value = take(field.name);
      if (value == nullptr) continue;
      const std::string preset = value_of(options, field).value;
      set_field(options, field, text_of(keyword_of(field.name), kind, field.choices, *value));
      check_field(options, field);
      fields_.push_back({std::string(field.name), true, value_of(options, field).value == preset});
    }
  }
  // The fields that were set.
  const std::vector<GivenOption>& given() const { return fields_; }
  // Arguments and options that are no fields. Only those with a help are listed; what is not given is none, empty or
  // 0.
  py::object object(const std::string& name, const char* help = "");
  std::filesystem::path path(const std::string& name, const char* help);
  std::vector<std::filesystem::path> files(const std::string& name, const char* help);
  std::vector<std::string> names(const std::string& name, const char* help);
  bool flag(const std::string& name, const char* help);
  // At least 1.
  std::uint64_t count(const std::string& name, const char* help);
  // Arguments that must be given. Throw TypeError.
  std::filesystem::path path(const std::string& name);
  std::vector<std::filesystem::path> files(const std::string& name);
  std::uint64_t number(const std::string& name);
  // Throws TypeError for a keyword that was neither set nor asked for, with the nearest name.
  void require_all_known(const std::string& function) const;

 private:
  const py::object* take(std::string_view field);
  py::object required(const std::string& name);
  static std::string text_of(const std::string& name, ValueKind kind, std::string_view choices,
                             const py::object& value);

  std::map<std::string, py::object> given_;
  std::vector<GivenOption> fields_;
  std::set<std::string> known_;
  std::vector<KnownOption>* list_ = nullptr;
};

// A path as a string: of str or os.PathLike. Throws TypeError.
std::string path_of(const py::handle& value, const std::string& name);
// One path or a list of them.
std::vector<std::string> paths_of(const py::handle& value, const std::string& name);

}  // namespace bertprep::python
