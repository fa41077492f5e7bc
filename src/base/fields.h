// Options as documented data: each XxxOptions struct describes its fields once, and flags, configuration files, --help,
// validation and the recipe all come from that description.
//
//   struct ShardingOptions {
//     std::int64_t train_shards = 256;
//     static constexpr OptionGroup kGroup = OptionGroup::kOutput;
//     static std::span<const Field<ShardingOptions>> fields();
//   };
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/number_text.h"
#include "bertprep/base/error.h"

namespace bertprep {

template <class Options>
using Member = std::variant<std::int64_t Options::*, double Options::*, bool Options::*, std::string Options::*>;

// Under which heading --help shows an option, in this order.
enum class OptionGroup { kInput, kDownload, kText, kRows, kModel, kSteps, kOutput, kResources, kArrayJobs, kGeneral };

inline constexpr std::array<std::string_view, 10> kOptionGroupTitles = {
    "Input", "Download", "Text", "Rows", "Model", "Steps", "Output", "Resources", "Array jobs", "General"};

constexpr std::string_view title_of(OptionGroup group) {
  return kOptionGroupTitles[static_cast<std::size_t>(group)];
}

template <class Options>
struct Field {
  std::string_view name;  // kebab-case: the flag is --name, the configuration key is name
  Member<Options> member;
  std::string_view
      unit;  // what a value counts or names, "tokens", "folder": --help has it in capitals; empty for switches
  std::string_view help;  // one sentence without a full stop
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  std::string_view choices = {};          // "punkt|icu|lines": the values a string may take
  bool in_recipe = true;                  // false: changes how the work is done, never what comes out
  std::optional<OptionGroup> group = {};  // where it is not that of the struct, Options::kGroup
};

template <class Options>
OptionGroup group_of(const Field<Options>& field) {
  return field.group.value_or(Options::kGroup);
}

// One field as text: what a configuration file or a manifest holds.
struct FieldValue {
  std::string name;
  std::string value;
  bool is_string;  // true: quoted in JSON
};

// Throws ConfigError that names the flag, the value and the range.
void check_range(std::string_view name, double value, double min, double max);
void check_choice(std::string_view name, std::string_view value, std::string_view choices);

template <class Options>
void validate(const Options& options) {
  for (const auto& field : Options::fields()) {
    if (const auto* integer = std::get_if<std::int64_t Options::*>(&field.member)) {
      check_range(field.name, static_cast<double>(options.**integer), field.min, field.max);
    } else if (const auto* real = std::get_if<double Options::*>(&field.member)) {
      check_range(field.name, options.**real, field.min, field.max);
    } else if (const auto* text = std::get_if<std::string Options::*>(&field.member)) {
      check_choice(field.name, options.**text, field.choices);
    }
  }
}

template <class Options>
FieldValue value_of(const Options& options, const Field<Options>& field) {
  const std::string name(field.name);
  if (const auto* integer = std::get_if<std::int64_t Options::*>(&field.member)) {
    return {name, std::to_string(options.**integer), false};
  }
  if (const auto* real = std::get_if<double Options::*>(&field.member)) {
    return {name, shortest_decimal(options.**real), false};
  }
  if (const auto* flag = std::get_if<bool Options::*>(&field.member)) {
    return {name, options.**flag ? "true" : "false", false};
  }
  return {name, options.*std::get<std::string Options::*>(field.member), true};
}

// The fields that decide the bytes of the result, in their order of declaration.
template <class Options>
std::vector<FieldValue> recipe_of(const Options& options) {
  std::vector<FieldValue> values;
  for (const auto& field : Options::fields()) {
    if (field.in_recipe) values.push_back(value_of(options, field));
  }
  return values;
}

// Sets one field from text. Throws ConfigError when the text is no such value.
std::int64_t parse_integer(std::string_view name, std::string_view text);
double parse_real(std::string_view name, std::string_view text);
bool parse_switch(std::string_view name, std::string_view text);

template <class Options>
void set_field(Options& options, const Field<Options>& field, std::string_view text) {
  if (const auto* integer = std::get_if<std::int64_t Options::*>(&field.member)) {
    options.** integer = parse_integer(field.name, text);
  } else if (const auto* real = std::get_if<double Options::*>(&field.member)) {
    options.** real = parse_real(field.name, text);
  } else if (const auto* flag = std::get_if<bool Options::*>(&field.member)) {
    options.** flag = parse_switch(field.name, text);
  } else {
    options.*std::get<std::string Options::*>(field.member) = std::string(text);
  }
}

}  // namespace bertprep
