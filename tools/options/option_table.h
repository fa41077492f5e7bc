// OptionTable: flags, configuration file and --print-config generated from the field lists of option structs.
//
// The command line overrides the configuration file, which overrides the default in the struct.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <list>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/fields.h"

namespace bertprep::cli {

// For CLI11: `app.add_option(...)->group(heading(OptionGroup::kInput))`.
inline std::string heading(OptionGroup group) {
  return std::string(title_of(group));
}

class OptionTable {
 public:
  // Adds a flag for every field of `options`, which must outlive the table. `only`: the fields to add; empty: all.
  template <class Options>
  void add(CLI::App& command, Options& options, std::initializer_list<std::string_view> only = {}) {
    const FieldList<Options> fields = fields_of<Options>();
    for (const auto& field : fields) {
      if (only.size() != 0 && std::find(only.begin(), only.end(), field.name) == only.end()) continue;
      const bool is_switch = std::holds_alternative<bool Options::*>(field.member);
      add_entry(command,
                {field.group.value_or(fields.group), value_name(field.unit, field.choices), std::string(field.help),
                 range_text(field), is_switch},
                {[&options, &field](std::string_view text) { set_field(options, field, text); },
                 [&options, &field] { return value_of(options, field); },
                 [&options, &field] {
                   check_field(options, field);
                   if (field.unit == "size") check_size(value_of(options, field));
                 }});
    }
  }
  template <class... SomeOptions>
  void add_all(CLI::App& command, SomeOptions&... options) {
    (add(command, options), ...);
  }
  // Adds --config and --print-config.
  void add_config_flags(CLI::App& command);

  // Sets the fields from the configuration file and the flags. Throws ConfigError (unknown key or value), IoError.
  void apply();
  // Whether the configuration comes from standard input ("-").
  bool reads_standard_input() const { return config_file_ == "-"; }
  bool print_config_asked() const { return print_config_; }
  // The configuration that would run, as JSON that --config reads.
  std::string config_json() const;
  // Sets the option `name` to a value from another file, unless it was given. Throws ConfigError, which begins with
  // `source`, if it was given with another value.
  void adopt(const std::string& source, const std::string& name, const std::string& value);
  // The value of an option as text; nothing if there is no such option.
  std::optional<std::string> value(std::string_view name) const;
  // Options set by the configuration file or a flag.
  std::vector<GivenOption> given() const;
  // The same as flags, except for the fields in `left_out`.
  std::vector<std::string> given_flags(const std::set<std::string, std::less<>>& left_out) const;

 private:
  // A field of an options struct.
  struct Access {
    std::function<void(std::string_view)> set;
    std::function<FieldValue()> get;
    std::function<void()> check;
  };
  struct Entry {
    Access field;
    std::string given;  // from the command line; `option` tells whether an empty one was given
    CLI::Option* option = nullptr;
    bool is_configured = false;  // by the file
    bool is_switch = false;
    std::string preset{};         // the default
    bool preset_is_none = false;  // it is out of range and stands for none, which --print-config writes, too
    bool is_path = false;
  };
  // The parts of a flag's --help.
  struct FlagText {
    OptionGroup group;
    std::string value_name;
    std::string help;
    std::string range;  // "5 to 65535"; empty for text and switches
    bool is_switch;
  };
  static void check_size(const FieldValue& size);
  static std::string value_name(std::string_view unit, std::string_view choices);
  static std::string range_text(double min, double max);
  template <class Options>
  static std::string range_text(const Field<Options>& field) {
    const bool number = std::holds_alternative<std::int64_t Options::*>(field.member) ||
                        std::holds_alternative<double Options::*>(field.member);
    return number ? range_text(field.min, field.max) : std::string();
  }
  void add_entry(CLI::App& command, const FlagText& text, Access field);
  void read_config();

  std::list<Entry> entries_;
  std::string config_file_;
  bool print_config_ = false;
};

}  // namespace bertprep::cli
