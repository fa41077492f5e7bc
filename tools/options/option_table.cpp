#include "options/option_table.h"

#include <algorithm>
#include <cmath>

#include "base/nearest_name.h"
#include "console/standard_input.h"
#include "options/config_file.h"
#include "options/named_path.h"

namespace bertprep::cli {
namespace {

// Adds the one-letter flag of some options.
std::string flag_names(const std::string& name, bool is_switch, const std::string& value) {
  if (!is_switch && name == "threads") return "-j,--threads";
  if (!is_switch && name == "output") return "-o,--output";
  if (!is_switch) return "--" + name;
  if (value == "true") return "--" + name + "{true},--no-" + name + "{false}";
  return "--" + name + "{true}";
}

// " (5 to 65535, default 128)"
std::string limits_text(const std::string& range, const FieldValue& value, bool is_switch) {
  const std::string preset = is_switch ? (value.value == "true" ? "yes" : "") : value.value;
  if (range.empty() && preset.empty()) return {};
  const std::string preset_text = preset.empty() ? "" : "default " + preset;
  return " (" + range + (range.empty() || preset.empty() ? "" : ", ") + preset_text + ")";
}

bool passes(const std::function<void()>& check) {
  try {
    check();
    return true;
  } catch (const ConfigError&) {
    return false;
  }
}

// Lists of patterns, whose flags may be repeated.
bool is_list(const std::string& name) {
  return name == "include" || name == "exclude";
}

}  // namespace

// The library reads sizes where it uses them, after the inputs.
void OptionTable::check_size(const FieldValue& size) {
  const std::string& value = size.value;
  if (!value.empty() && value != "none" && !value.ends_with('%')) size_in_bytes(value, size.name);
}

std::string OptionTable::value_name(std::string_view unit, std::string_view choices) {
  if (!choices.empty()) return std::string(choices);
  std::string name(unit.empty() ? "value" : unit);
  if (name.find(',') != std::string::npos) return name;  // a list of what it names
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return name;
}

std::string OptionTable::range_text(double min, double max) {
  const auto number = [](double value) {
    return value == std::floor(value) && std::abs(value) < 1e15 ? std::to_string(static_cast<std::int64_t>(value))
                                                                : shortest_decimal(value);
  };
  if (std::isfinite(min) && std::isfinite(max)) return number(min) + " to " + number(max);
  if (std::isfinite(min)) return "at least " + number(min);
  return std::isfinite(max) ? "at most " + number(max) : std::string();
}

void OptionTable::add_entry(CLI::App& command, const FlagText& text, Access field) {
  Entry& entry = entries_.emplace_back(Entry{std::move(field), {}, nullptr, false, text.is_switch});
  const FieldValue value = entry.field.get();
  entry.preset = value.value;
  entry.preset_is_none = !passes(entry.field.check);
  const std::string names = flag_names(value.name, text.is_switch, value.value);
  const std::string help = text.help + limits_text(text.range, value, text.is_switch);
  entry.option =
      text.is_switch ? command.add_flag(names, entry.given, help) : command.add_option(names, entry.given, help);
  // Scripts append options to a command to change it: the last one counts.
  entry.option->take_last()->group(heading(text.group));
  if (is_list(value.name)) entry.option->join(',');
  if (!text.is_switch) entry.option->type_name(text.value_name);
  entry.is_path = !text.is_switch && takes_path(text.value_name);
  if (text.is_switch) return;
  if (entry.is_path) {
    check_path(entry.option);
    return;
  }
  if (may_take_path(text.value_name)) refuse_addresses(entry.option);
}

void OptionTable::add_config_flags(CLI::App& command) {
  refuse_addresses(
      command.add_option("--config", config_file_,
                         "read options from a JSON file (docs/formats/config.md), or from stdin (-); flags take "
                         "precedence"))
      ->type_name("FILE")
      ->group(heading(OptionGroup::kGeneral));
  command.add_flag("--print-config", print_config_, "print the options that would be used as JSON, and exit")
      ->group(heading(OptionGroup::kGeneral));
}

void OptionTable::read_config() {
  for (const FieldValue& given : read_config_file(reads_standard_input() ? kStandardInput : config_file_)) {
    Entry* found = nullptr;
    std::vector<std::string> names;
    for (Entry& entry : entries_) {
      names.push_back(entry.field.get().name);
      if (names.back() == given.name) found = &entry;
    }
    if (found == nullptr) {
      throw ConfigError("unknown option '" + given.name + "'" + suggestion_text(given.name, names), config_file_,
                        "--print-config shows the options that a file may contain");
    }
    if (const std::string fault = fault_of_dash(given.value); found->is_path && !fault.empty()) {
      throw ConfigError("--" + given.name + ": " + fault, config_file_);
    }
    try {
      found->field.set(given.value);
      if (found->preset_is_none && found->field.get().value == found->preset) continue;
      found->field.check();
    } catch (const ConfigError& error) {
      throw ConfigError(error.what(), config_file_);
    }
    found->is_configured = true;
  }
}

void OptionTable::apply() {
  if (!config_file_.empty()) read_config();
  for (Entry& entry : entries_) {
    if (entry.option->count() == 0) continue;
    entry.field.set(entry.given);
    entry.field.check();
  }
}

void OptionTable::adopt(const std::string& source, const std::string& name, const std::string& value) {
  for (Entry& entry : entries_) {
    const FieldValue before = entry.field.get();
    if (before.name != name) continue;
    entry.field.set(value);
    const bool was_given = entry.option->count() != 0 || entry.is_configured;
    if (!was_given || entry.field.get().value == before.value) return;
    throw ConfigError(source + " is " + value + ", and --" + name + " is " + before.value, {}, "leave one of them out");
  }
  throw ConfigError(source + ": there is no option --" + name);
}

std::optional<std::string> OptionTable::value(std::string_view name) const {
  for (const Entry& entry : entries_) {
    if (FieldValue value = entry.field.get(); value.name == name) return std::move(value.value);
  }
  return std::nullopt;
}

std::vector<GivenOption> OptionTable::given() const {
  std::vector<GivenOption> options;
  for (const Entry& entry : entries_) {
    const bool is_flag = entry.option->count() != 0;
    if (!is_flag && !entry.is_configured) continue;
    const FieldValue value = entry.field.get();
    options.push_back({value.name, is_flag, value.value == entry.preset});
  }
  return options;
}

std::vector<std::string> OptionTable::given_flags(const std::set<std::string, std::less<>>& left_out) const {
  std::vector<std::string> flags;
  for (const Entry& entry : entries_) {
    const FieldValue value = entry.field.get();
    if (left_out.count(value.name) != 0 || (entry.option->count() == 0 && !entry.is_configured)) continue;
    if (!entry.is_switch && value.value.starts_with('-')) {
      flags.push_back("--" + value.name + "=" + value.value);
    } else if (!entry.is_switch) {
      flags.insert(flags.end(), {"--" + value.name, value.value});
    } else if (value.value == "true") {
      flags.push_back("--" + value.name);
    } else if (entry.option->check_lname("no-" + value.name)) {
      flags.push_back("--no-" + value.name);
    }
  }
  return flags;
}

std::string OptionTable::config_json() const {
  std::vector<FieldValue> values;
  for (const Entry& entry : entries_) values.push_back(entry.field.get());
  return config_file_text(values);
}

}  // namespace bertprep::cli
