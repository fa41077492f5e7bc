#include "io/json_number.h"

namespace bertprep {
namespace {

bool take(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

bool take_digits(std::string_view& text) {
  constexpr std::string_view kDigits = "0123456789";
  if (!take(text, kDigits)) return false;
  while (take(text, kDigits)) {
  }
  return true;
}

}  // namespace

bool is_json_number(std::string_view text) {
  take(text, "-");
  if (!take(text, "0") && !take_digits(text)) return false;
  if (take(text, ".") && !take_digits(text)) return false;
  if (take(text, "eE")) {
    take(text, "+-");
    if (!take_digits(text)) return false;
  }
  return text.empty();
}

}  // namespace bertprep
