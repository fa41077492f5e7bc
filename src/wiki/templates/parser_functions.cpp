#include "wiki/templates/parser_functions.h"

#include <algorithm>

#include "base/number_text.h"
#include "unicode/ascii.h"
#include "unicode/properties/mappings.h"
#include "unicode/utf8_text.h"
#include "wiki/templates/python_number.h"
#include "wiki/templates/template_expansion.h"

namespace bertprep {
namespace {

using Site = const WikiSite&;
using Text = std::string_view;

Text namespace_of(Text title) {
  const auto colon = title.find(':');
  return colon == Text::npos ? Text{} : title.substr(0, colon);
}

Text page_name(Text title) {
  return title.substr(title.find(':') + 1);
}

// What follows the last slash.
Text sub_page_name(Text title) {
  const auto name = page_name(title);
  const auto slash = name.rfind('/');
  return slash == Text::npos ? Text{} : name.substr(slash + 1);
}

Text namespace_number(Site site, Text title) {
  const auto found = site.namespaces.find(std::string(namespace_of(title)));
  return found == site.namespaces.end() ? Text("0") : Text(found->second);
}

// A part of "YYYY-MM-DDTHH:MM:SS".
Text clock_part(Site site, std::size_t begin, std::size_t length) {
  return begin < site.clock.size() ? Text(site.clock).substr(begin, length) : Text{};
}

struct Word {
  Text name;
  Text (*value)(Site site, Text title);
};

constexpr Word kWords[] = {
    {"!", [](Site, Text) -> Text { return "|"; }},
    {"NAMESPACE", [](Site, Text title) { return namespace_of(title); }},
    {"NAMESPACENUMBER", namespace_number},
    {"PAGENAME", [](Site, Text title) { return page_name(title); }},
    {"FULLPAGENAME", [](Site, Text title) { return title; }},
    {"BASEPAGENAME", [](Site, Text title) { return page_name(title).substr(0, page_name(title).rfind('/')); }},
    {"SUBPAGENAME", [](Site, Text title) { return sub_page_name(title); }},
    {"ROOTPAGENAME", [](Site, Text title) { return page_name(title).substr(0, page_name(title).find('/')); }},
    {"CURRENTYEAR", [](Site site, Text) { return clock_part(site, 0, 4); }},
    {"CURRENTMONTH", [](Site site, Text) { return clock_part(site, 5, 2); }},
    {"CURRENTDAY", [](Site site, Text) { return clock_part(site, 8, 2); }},
    {"CURRENTHOUR", [](Site site, Text) { return clock_part(site, 11, 2); }},
    {"CURRENTTIME", [](Site site, Text) { return clock_part(site, 11, 8); }},
};

constexpr std::string_view kSpaces = " \t\n\v\f\r";

// Whether a tag's inside, from its name on, can mark an error.
bool is_carrier(std::string_view inside) {
  const Text name = inside.substr(0, inside.find_first_of(kSpaces));
  return name.size() < inside.size() && (name == "span" || name == "strong" || name == "p" || name == "div");
}

bool names_error(std::string_view classes) {
  while (!classes.empty()) {
    if (take_part(classes, kSpaces) == "error") return true;
  }
  return false;
}

bool has_error_class(std::string_view inside) {
  constexpr std::string_view kAttribute = "class=\"";
  for (auto at = inside.find(kAttribute); at != std::string_view::npos; at = inside.find(kAttribute, at + 1)) {
    if (at == 0 || kSpaces.find(inside[at - 1]) == std::string_view::npos) continue;
    const auto value = inside.substr(at + kAttribute.size());
    const auto quote = value.find('"');
    return quote != std::string_view::npos && names_error(value.substr(0, quote));
  }
  return false;
}

// Whether `value` is one of `names`, which are separated by |.
bool is_among(std::string_view value, std::string_view names) {
  while (true) {
    const auto bar = names.find('|');
    if (names.substr(0, bar) == value) return true;
    if (bar == std::string_view::npos) return false;
    names.remove_prefix(bar + 1);
  }
}

std::string expanded(const FunctionCall& call, std::string_view text) {
  std::string out;
  call.context.expand(strip(text), out);
  return out;
}

// Argument `index` after the first, stripped and expanded; nothing if there is none.
void expand_argument(const FunctionCall& call, std::size_t index) {
  if (index < call.more.size()) call.context.expand(strip(call.more[index]), call.out);
}

void if_not_empty(const FunctionCall& call) {
  if (call.more.empty()) return;
  expand_argument(call, call.first.empty() ? 1 : 0);
}

void if_equal(const FunctionCall& call) {
  if (call.more.size() < 2 || strip(call.more[0]).empty()) return;
  expand_argument(call, call.first == strip(call.more[0]) ? 1 : 2);
}

// No page counts as existing.
void if_page_exists(const FunctionCall& call) {
  if (call.more.size() == 2) call.context.expand(call.more[1], call.out);
}

void if_error(const FunctionCall& call) {
  if (begins_with_error_mark(call.first)) {
    expand_argument(call, 0);
  } else if (call.more.size() > 1) {
    expand_argument(call, 1);
  } else {
    call.context.expand(call.first, call.out);
  }
}

void expression(const FunctionCall& call) {
  if (!call.more.empty()) return;
  std::string expanded;
  call.context.expand(call.first, expanded);
  // A failed expression doubles its equals signs; in nested ones, these double again.
  if (call.context.spend(2 * expanded.size())) append_expression(expanded, call.out);
}

void switch_cases(const FunctionCall& call) {
  std::string otherwise;
  bool falls_through = false;
  for (const std::string_view part : call.more) {
    const auto equals = part.find('=');
    const std::string name = expanded(call, part.substr(0, equals));
    const bool hit = is_among(call.first, name);
    if (equals == std::string_view::npos) {
      falls_through = falls_through || hit;
      continue;
    }
    const std::string result = expanded(call, part.substr(equals + 1));
    if (hit || falls_through) {
      call.out += result;
      return;
    }
    if (name == "#default") otherwise = result;
  }
  call.out += otherwise;
}

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
  return number_in<std::int64_t>(digits).value_or(otherwise);
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

void roman_of_number(const TemplateArguments& arguments, const FunctionCall& call) {
  call.out += roman_numeral(number_of(arguments, "1", 1, 0));
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

constexpr ModuleFunction kModuleFunctions[] = {
    {"String", "len", string_length},
    {"String", "sub", string_part},
    {"String", "sublength", string_part_of_length},
    {"String", "pos", string_character},
    {"String", "find", string_find},
    {"String", "replace", string_replace},
    {"Roman", "main", roman_of_number},
    {"Numero romano", "main", roman_of_number},
    {"If empty", "main", print_arguments},
};

// String: len, sub, sublength, pos, find and replace as documented in the module, for plain text (a Lua pattern counts
// as plain text); arguments out of range give nothing. Roman and Numero romano: main, for 1 to 3999. If empty: main,
// which prints its arguments as a Python dictionary. Every other function gives nothing.
void invoke_module(const FunctionCall& call) {
  if (call.more.empty()) return;
  const std::string_view name = strip(call.more[0]);
  const auto* const found = std::ranges::find_if(
      kModuleFunctions, [&](const ModuleFunction& known) { return known.module == call.first && known.name == name; });
  if (found == std::end(kModuleFunctions)) return;
  // A call without arguments uses those of the template with the module's name.
  if (call.more.size() > 1) {
    found->function(call.context.arguments(call.more.subspan(1)), call);
  } else if (const TemplateArguments* const arguments = call.context.arguments_of(call.first)) {
    found->function(*arguments, call);
  }
}

struct Named {
  std::string_view name;
  ParserFunction function;
};

constexpr Named kFunctions[] = {
    {"#expr", expression},
    {"#if", if_not_empty},
    {"#ifeq", if_equal},
    {"#iferror", if_error},
    {"#ifexist", if_page_exists},
    {"#invoke", invoke_module},
    {"#switch", switch_cases},
    {"int", [](const FunctionCall& call) { append_integer(call.first, call.out); }},
    {"lc", [](const FunctionCall& call) { unicode::append_lower(call.first, call.out); }},
    {"lcfirst", [](const FunctionCall& call) { unicode::append_lower_first(call.first, call.out); }},
    {"uc", [](const FunctionCall& call) { unicode::append_upper(call.first, call.out); }},
    {"ucfirst", [](const FunctionCall& call) { unicode::append_upper_first(call.first, call.out); }},
    {"urlencode", [](const FunctionCall& call) { call.out += url_encoded(call.first, true); }},
};

}  // namespace

bool append_magic_word(std::string_view name, const WikiSite& site, const WikiPage& page, std::string& out) {
  const auto* const word = std::ranges::find(kWords, name, &Word::name);
  if (word == std::end(kWords)) return false;
  out += word->value(site, page.title);
  return true;
}

bool begins_with_error_mark(std::string_view text) {
  const auto close = text.find('>');
  if (!text.starts_with('<') || close == std::string_view::npos) return false;
  const auto inside = text.substr(1, close - 1);
  return is_carrier(inside) && has_error_class(inside);
}

ParserFunction find_parser_function(std::string_view name) {
  const auto* const found =
      std::ranges::find_if(kFunctions, [name](const Named& known) { return equals_in_any_case(name, known.name); });
  return found == std::end(kFunctions) ? nullptr : found->function;
}

}  // namespace bertprep
