#include "wiki/templates/parser_functions.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "unicode/ascii.h"
#include "unicode/properties/mappings.h"
#include "unicode/utf8_text.h"
#include "wiki/templates/python_number.h"

namespace bertprep {
namespace {

std::string_view namespace_of(std::string_view title) {
  const auto colon = title.find(':');
  return colon == std::string_view::npos ? std::string_view{} : title.substr(0, colon);
}

std::string_view page_name(std::string_view title) {
  return title.substr(title.find(':') + 1);
}

std::string_view before(std::string_view text, std::size_t at) {
  return text.substr(0, at);
}

struct Word {
  std::string_view name;
  std::string_view (*value)(const WikiSite& site, std::string_view title);
};

std::string_view bar(const WikiSite&, std::string_view) {
  return "|";
}
std::string_view name_space_of(const WikiSite&, std::string_view title) {
  return namespace_of(title);
}
std::string_view name_space_number(const WikiSite& site, std::string_view title) {
  const auto found = site.namespaces.find(std::string(namespace_of(title)));
  return found == site.namespaces.end() ? std::string_view("0") : std::string_view(found->second);
}
std::string_view page_name_of(const WikiSite&, std::string_view title) {
  return page_name(title);
}
std::string_view full_page_name(const WikiSite&, std::string_view title) {
  return title;
}
std::string_view base_page_name(const WikiSite&, std::string_view title) {
  const auto name = page_name(title);
  return before(name, name.rfind('/'));
}
std::string_view sub_page_name(const WikiSite&, std::string_view title) {
  const auto name = page_name(title);
  const auto slash = name.rfind('/');
  return slash == std::string_view::npos ? std::string_view{} : name.substr(slash + 1);
}
std::string_view root_page_name(const WikiSite&, std::string_view title) {
  const auto name = page_name(title);
  return before(name, name.find('/'));
}

// A part of "YYYY-MM-DDTHH:MM:SS".
std::string_view clock_part(const WikiSite& site, std::size_t begin, std::size_t length) {
  return begin < site.clock.size() ? std::string_view(site.clock).substr(begin, length) : std::string_view{};
}
std::string_view year(const WikiSite& site, std::string_view) {
  return clock_part(site, 0, 4);
}
std::string_view month(const WikiSite& site, std::string_view) {
  return clock_part(site, 5, 2);
}
std::string_view day(const WikiSite& site, std::string_view) {
  return clock_part(site, 8, 2);
}
std::string_view hour(const WikiSite& site, std::string_view) {
  return clock_part(site, 11, 2);
}
std::string_view time_of_day(const WikiSite& site, std::string_view) {
  return clock_part(site, 11, 8);
}

constexpr Word kWords[] = {
    {"!", bar},
    {"NAMESPACE", name_space_of},
    {"NAMESPACENUMBER", name_space_number},
    {"PAGENAME", page_name_of},
    {"FULLPAGENAME", full_page_name},
    {"BASEPAGENAME", base_page_name},
    {"SUBPAGENAME", sub_page_name},
    {"ROOTPAGENAME", root_page_name},
    {"CURRENTYEAR", year},
    {"CURRENTMONTH", month},
    {"CURRENTDAY", day},
    {"CURRENTHOUR", hour},
    {"CURRENTTIME", time_of_day},
};

constexpr std::string_view kSpaces = " \t\n\v\f\r";

// Whether a tag's inside, from its name on, can mark an error.
bool is_carrier(std::string_view inside) {
  static constexpr std::array<std::string_view, 4> kNames{"span", "strong", "p", "div"};
  return std::any_of(kNames.begin(), kNames.end(), [inside](std::string_view name) {
    return inside.starts_with(name) && inside.find_first_of(kSpaces) == name.size();
  });
}

bool names_error(std::string_view classes) {
  while (!classes.empty()) {
    const auto space = std::min(classes.find_first_of(kSpaces), classes.size());
    if (classes.substr(0, space) == "error") return true;
    classes.remove_prefix(std::min(space + 1, classes.size()));
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

void lower(const FunctionCall& call) {
  unicode::append_lower(call.first, call.out);
}
void upper(const FunctionCall& call) {
  unicode::append_upper(call.first, call.out);
}
void lower_first(const FunctionCall& call) {
  unicode::append_lower_first(call.first, call.out);
}
void upper_first(const FunctionCall& call) {
  unicode::append_upper_first(call.first, call.out);
}
void url_encode(const FunctionCall& call) {
  append_percent_encoded(call.first, call.out);
}
void integer(const FunctionCall& call) {
  append_integer(call.first, call.out);
}

void expression(const FunctionCall& call) {
  if (!call.more.empty()) return;
  std::string expanded;
  call.context.expand(call.first, expanded);
  // A failed expression doubles its equals signs; in nested ones, these double again.
  if (call.context.spend(2 * expanded.size())) append_expression(expanded, call.out);
}

struct Named {
  std::string_view name;
  ParserFunction function;
};

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

constexpr Named kFunctions[] = {
    {"#expr", expression},
    {"#if", if_not_empty},
    {"#ifeq", if_equal},
    {"#iferror", if_error},
    {"#ifexist", if_page_exists},
    {"#invoke", invoke_module},
    {"#switch", switch_cases},
    {"int", integer},
    {"lc", lower},
    {"lcfirst", lower_first},
    {"uc", upper},
    {"ucfirst", upper_first},
    {"urlencode", url_encode},
};

}  // namespace

bool append_magic_word(std::string_view name, const WikiSite& site, const WikiPage& page, std::string& out) {
  const auto* const word =
      std::find_if(std::begin(kWords), std::end(kWords), [name](const Word& known) { return known.name == name; });
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
  const auto* const found = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                         [name](const Named& known) { return equals_in_any_case(name, known.name); });
  return found == std::end(kFunctions) ? nullptr : found->function;
}

}  // namespace bertprep
