#include "wiki/switch_function.h"

#include "bertprep/io/strip.h"

namespace bertprep {
namespace {

// Whether `value` is one of the pieces of `names` between |.
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

}  // namespace

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

}  // namespace bertprep
