#include "wiki/parser_functions.h"

#include <algorithm>
#include <iterator>

#include "bertprep/io/strip.h"
#include "wiki/arithmetic.h"
#include "wiki/ascii_case.h"
#include "wiki/error_mark.h"
#include "wiki/letter_case.h"
#include "wiki/module_functions.h"
#include "wiki/percent_code.h"
#include "wiki/python_integer.h"
#include "wiki/switch_function.h"

namespace bertprep {
namespace {

// Argument `index` after the first, stripped and expanded; nothing when there is none.
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

// No page is known to exist.
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
  append_lower(call.first, call.out);
}
void upper(const FunctionCall& call) {
  append_upper(call.first, call.out);
}
void lower_first(const FunctionCall& call) {
  append_lower_first(call.first, call.out);
}
void upper_first(const FunctionCall& call) {
  append_upper_first(call.first, call.out);
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
  append_expression(expanded, call.out);
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
    {"int", integer},
    {"lc", lower},
    {"lcfirst", lower_first},
    {"uc", upper},
    {"ucfirst", upper_first},
    {"urlencode", url_encode},
};

}  // namespace

ParserFunction find_parser_function(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                         [name](const Named& known) { return equals_in_any_case(name, known.name); });
  return found == std::end(kFunctions) ? nullptr : found->function;
}

}  // namespace bertprep
