// Options as documented data: each XxxOptions struct describes its fields once, and flags, configuration files, --help,
// validation and the recipe all come from that description.
//
//   struct SubmitOptions {
//     std::string partition;
//     static FieldList<SubmitOptions> fields();
//   };
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/address.h"
#include "base/number_text.h"
#include "bertprep/base/error.h"

namespace bertprep {

// An option that the user set.
struct GivenOption {
  std::string name;
  bool is_flag = false;     // false: by a configuration file, which several commands may share
  bool is_default = false;  // the given value is the default
};

// An enum member, whose values are numbered from 0 in the order of Field::choices.
template <class Options>
struct ChoiceMember {
  std::size_t (*get)(const Options& options);
  void (*set)(Options& options, std::size_t value);
};

template <class Options, class Enum>
constexpr Options options_of_member(Enum Options::*);

// enum_member<&SourceOptions::format>, as the `member` of a field.
template <auto kMember>
inline constexpr auto enum_member = [] {
  using Options = decltype(options_of_member(kMember));
  return ChoiceMember<Options>{[](const Options& options) { return static_cast<std::size_t>(options.*kMember); },
                               [](Options& options, std::size_t value) {
                                 options.*kMember =
                                     static_cast<std::remove_reference_t<decltype(options.*kMember)>>(value);
                               }};
}();

// A member of another type, as text. `set` throws ConfigError.
template <class Options>
struct TextMember {
  std::string (*get)(const Options& options);
  void (*set)(Options& options, std::string_view text);
};

template <class Options>
using Member = std::variant<std::int64_t Options::*, double Options::*, bool Options::*, std::string Options::*,
                            ChoiceMember<Options>, TextMember<Options>>;

// The heading under which --help shows an option, in this order.
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
      unit;  // what a value counts or names, "tokens", "folder": --help shows it in capitals; empty for switches
  std::string_view help;  // one sentence without a full stop
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  std::string_view choices = {};          // "punkt|icu|lines": the values of a string, or the names of an enum's
  bool in_recipe = true;                  // false: changes how the work is done, not the result (recipe_of)
  std::optional<OptionGroup> group = {};  // if it is not that of the others
  // The value, as text, that is left out of recipes, so that results made before the option existed stay valid.
  std::optional<std::string_view> unrecorded = {};
  std::string_view formats = {};  // of an option of the input: "jsonl|csv", those on which it has an effect; empty: all
};

// The fields of an options struct, and the group of those that name none.
template <class Options>
struct FieldList : std::span<const Field<Options>> {
  OptionGroup group;
};

// That of Options: its member fields() or, of public options, whose headers show only what a user sets, one of these.
FieldList<struct CorpusOptions> fields_of(const CorpusOptions* options);
FieldList<struct EncoderOptions> fields_of(const EncoderOptions* options);
FieldList<struct ExtractOptions> fields_of(const ExtractOptions* options);
FieldList<struct FetchOptions> fields_of(const FetchOptions* options);
FieldList<struct InstanceOptions> fields_of(const InstanceOptions* options);
FieldList<struct PipelineOptions> fields_of(const PipelineOptions* options);
FieldList<struct SentenceOptions> fields_of(const SentenceOptions* options);
FieldList<struct ShardLayoutOptions> fields_of(const ShardLayoutOptions* options);
FieldList<struct ShardingOptions> fields_of(const ShardingOptions* options);
FieldList<struct SourceOptions> fields_of(const SourceOptions* options);
FieldList<struct TokenizerOptions> fields_of(const TokenizerOptions* options);
FieldList<struct VocabTrainerOptions> fields_of(const VocabTrainerOptions* options);
FieldList<struct WikiOptions> fields_of(const WikiOptions* options);
FieldList<struct WorkOptions> fields_of(const WorkOptions* options);

template <class Options>
FieldList<Options> fields_of() {
  if constexpr (requires { Options::fields(); }) {
    return Options::fields();
  } else {
    return fields_of(static_cast<const Options*>(nullptr));
  }
}

// `max_article` for "max-article": how messages name a field (bertprep/base/error.h).
std::string quoted_field(std::string_view name);

// One field as text, as in a configuration file or manifest.
struct FieldValue {
  std::string name;
  std::string value;
  bool is_string;  // true: quoted in JSON
};

// Throws ConfigError that names the field, the value and the range.
void check_range(std::string_view name, double value, double min, double max);
// "it must be between 2 and 512"; empty for no range.
std::string range_rule(double min, double max);
void check_choice(std::string_view name, std::string_view value, std::string_view choices);
// The index of `value` in `choices`, and back. Throws ConfigError if there is no such choice.
std::size_t choice_index(std::string_view name, std::string_view value, std::string_view choices);
std::string_view choice_name(std::string_view name, std::size_t index, std::string_view choices);

// Throws ConfigError for a value out of the field's range, and for an address as a path.
template <class Options>
void check_field(const Options& options, const Field<Options>& field) {
  if (const auto* integer = std::get_if<std::int64_t Options::*>(&field.member)) {
    check_range(field.name, static_cast<double>(options.**integer), field.min, field.max);
  } else if (const auto* real = std::get_if<double Options::*>(&field.member)) {
    check_range(field.name, options.**real, field.min, field.max);
  } else if (const auto* text = std::get_if<std::string Options::*>(&field.member)) {
    check_choice(field.name, options.**text, field.choices);
    if (is_unit_of_path(field.unit)) refuse_address(options.**text, quoted_field(field.name));
  } else if (const auto* choice = std::get_if<ChoiceMember<Options>>(&field.member)) {
    choice_name(field.name, choice->get(options), field.choices);
  }
}

template <class Options>
void validate(const Options& options) {
  for (const auto& field : fields_of<Options>()) check_field(options, field);
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
  if (const auto* choice = std::get_if<ChoiceMember<Options>>(&field.member)) {
    return {name, std::string(choice_name(field.name, choice->get(options), field.choices)), true};
  }
  if (const auto* text = std::get_if<TextMember<Options>>(&field.member)) return {name, text->get(options), true};
  return {name, options.*std::get<std::string Options::*>(field.member), true};
}

// The fields that decide the bytes of the result, in their order of declaration.
template <class Options>
std::vector<FieldValue> recipe_of(const Options& options) {
  std::vector<FieldValue> values;
  for (const auto& field : fields_of<Options>()) {
    if (!field.in_recipe) continue;
    FieldValue value = value_of(options, field);
    if (value.value != field.unrecorded) values.push_back(std::move(value));
  }
  return values;
}

// Sets one field from text. Throws ConfigError if the text is not a valid value.
std::int64_t parse_integer(std::string_view name, std::string_view text);
std::int64_t parse_count(std::string_view name, std::string_view text, double min, double max);  // also 30k (count_in)
double parse_real(std::string_view name, std::string_view text);
bool parse_switch(std::string_view name, std::string_view text);

template <class Options>
void set_field(Options& options, const Field<Options>& field, std::string_view text) {
  if (const auto* integer = std::get_if<std::int64_t Options::*>(&field.member)) {
    options.** integer = parse_count(field.name, text, field.min, field.max);
  } else if (const auto* real = std::get_if<double Options::*>(&field.member)) {
    options.** real = parse_real(field.name, text);
  } else if (const auto* flag = std::get_if<bool Options::*>(&field.member)) {
    options.** flag = parse_switch(field.name, text);
  } else if (const auto* choice = std::get_if<ChoiceMember<Options>>(&field.member)) {
    choice->set(options, choice_index(field.name, text, field.choices));
  } else if (const auto* other = std::get_if<TextMember<Options>>(&field.member)) {
    other->set(options, text);
  } else {
    options.*std::get<std::string Options::*>(field.member) = std::string(text);
  }
}

}  // namespace bertprep
