#include "wiki/templates/parser_functions.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

#include "unicode/code_points.h"
#include "unicode/utf8_text.h"
#include "wiki/templates/python_number.h"

namespace bertprep {
namespace {

// An argument by name, else by position (from 1).
std::optional<std::string_view> given(const TemplateArguments& arguments, std::string_view name, int place) {
  const std::string* value = arguments.find(name);
  if (value == nullptr) value = arguments.find(std::to_string(place));
  if (value == nullptr) return std::nullopt;
  return *value;
}

std::string_view text_of(const TemplateArguments& arguments, std::string_view name, int place) {
  return given(arguments, name, place).value_or(std::string_view());
}

std::int64_t number_of(const TemplateArguments& arguments, std::string_view name, int place, std::int64_t otherwise) {
  const auto text = given(arguments, name, place);
  if (!text) return otherwise;
  std::string digits;
  append_integer(*text, digits);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() ? number : otherwise;
}

// Maps an index (1: the first character, -1: the last) to a position from 1; if out of range, to 0 or beyond the
// length.
std::int64_t place_from_start(std::int64_t index, std::int64_t length) {
  return index < 0 ? std::max<std::int64_t>(length + index + 1, 0) : index;
}

void string_length(const TemplateArguments& arguments, const FunctionCall& call) {
  call.out += std::to_string(unicode::character_count(text_of(arguments, "s", 1)));
}

void string_part(const TemplateArguments& arguments, const FunctionCall& call) {
  const auto text = text_of(arguments, "s", 1);
  const std::int64_t length = unicode::character_count(text);
  const std::int64_t first = place_from_start(number_of(arguments, "i", 2, 1), length);
  const std::int64_t last = place_from_start(number_of(arguments, "j", 3, -1), length);
  if (first >= 1 && last >= first && last <= length)
    call.out += unicode::character_range(text, first - 1, last - first + 1);
}

void string_part_of_length(const TemplateArguments& arguments, const FunctionCall& call) {
  const auto text = text_of(arguments, "s", 1);
  const std::int64_t length = unicode::character_count(text);
  const std::int64_t first = number_of(arguments, "i", 2, 0);
  const std::int64_t count = number_of(arguments, "len", 3, length);
  if (first >= 0 && first < length && count > 0) call.out += unicode::character_range(text, first, count);
}

void string_character(const TemplateArguments& arguments, const FunctionCall& call) {
  const auto text = text_of(arguments, "target", 1);
  const std::int64_t length = unicode::character_count(text);
  const std::int64_t place = place_from_start(number_of(arguments, "pos", 2, 0), length);
  if (place >= 1 && place <= length) call.out += unicode::character_range(text, place - 1, 1);
}

void string_find(const TemplateArguments& arguments, const FunctionCall& call) {
  const auto source = text_of(arguments, "source", 1);
  const auto target = text_of(arguments, "target", 2);
  const std::int64_t start = number_of(arguments, "start", 3, 1);
  const auto before = unicode::character_range(source, 0, std::max<std::int64_t>(start - 1, 0));
  const auto found = target.empty() ? std::string_view::npos : source.find(target, before.size());
  call.out +=
      found == std::string_view::npos ? "0" : std::to_string(unicode::character_count(source.substr(0, found)) + 1);
}

void string_replace(const TemplateArguments& arguments, const FunctionCall& call) {
  const auto source = text_of(arguments, "source", 1);
  const auto pattern = text_of(arguments, "pattern", 2);
  const auto replacement = text_of(arguments, "replace", 3);
  std::int64_t left = number_of(arguments, "count", 4, static_cast<std::int64_t>(source.size()));
  std::size_t copied = 0;
  while (!pattern.empty() && left-- > 0) {
    const auto found = source.find(pattern, copied);
    if (found == std::string_view::npos || !call.context.spend(replacement.size())) break;
    call.out += source.substr(copied, found - copied);
    call.out += replacement;
    copied = found + pattern.size();
  }
  call.out += source.substr(copied);
}

void roman_numeral(const TemplateArguments& arguments, const FunctionCall& call) {
  struct Sign {
    int value;
    std::string_view letters;
  };
  constexpr Sign kSigns[] = {{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"},
                             {40, "XL"},  {10, "X"},   {9, "IX"},  {5, "V"},    {4, "IV"},  {1, "I"}};
  std::int64_t rest = number_of(arguments, "1", 1, 0);
  if (rest < 1 || rest > 3999) return;
  for (const auto& [value, letters] : kSigns) {
    for (; rest >= value; rest -= value) call.out += letters;
  }
}

void print_arguments(const TemplateArguments& arguments, const FunctionCall& call) {
  call.out += '{';
  std::string_view comma;
  for (const auto& [name, value] : arguments.entries()) {
    call.out += comma;
    append_python_repr(name, call.out);
    call.out += ": ";
    append_python_repr(value, call.out);
    comma = ", ";
  }
  call.out += '}';
}

struct ModuleFunction {
  std::string_view module;
  std::string_view name;
  void (*function)(const TemplateArguments& arguments, const FunctionCall& call);
};

constexpr ModuleFunction kFunctions[] = {
    {"String", "len", string_length},
    {"String", "sub", string_part},
    {"String", "sublength", string_part_of_length},
    {"String", "pos", string_character},
    {"String", "find", string_find},
    {"String", "replace", string_replace},
    {"Roman", "main", roman_numeral},
    {"Numero romano", "main", roman_numeral},
    {"If empty", "main", print_arguments},
};

}  // namespace

void invoke_module(const FunctionCall& call) {
  if (call.more.empty()) return;
  const std::string_view name = strip(call.more[0]);
  const auto* const found =
      std::find_if(std::begin(kFunctions), std::end(kFunctions),
                   [&](const ModuleFunction& known) { return known.module == call.first && known.name == name; });
  if (found == std::end(kFunctions)) return;
  // A call without arguments uses those of the template with the module's name.
  if (call.more.size() > 1) {
    found->function(call.context.arguments(call.more.subspan(1)), call);
  } else if (const TemplateArguments* const arguments = call.context.arguments_of(call.first)) {
    found->function(*arguments, call);
  }
}

}  // namespace bertprep
