#include "wiki/error_mark.h"

#include <algorithm>
#include <array>

namespace bertprep {
namespace {

constexpr std::string_view kSpaces = " \t\n\v\f\r";

// Whether a tag's inside, from its name on, is of a kind that carries errors.
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

}  // namespace

bool begins_with_error_mark(std::string_view text) {
  const auto close = text.find('>');
  if (!text.starts_with('<') || close == std::string_view::npos) return false;
  const auto inside = text.substr(1, close - 1);
  return is_carrier(inside) && has_error_class(inside);
}

}  // namespace bertprep
