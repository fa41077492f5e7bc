#include "wiki/arithmetic.h"

#include <optional>

#include "wiki/expression.h"

namespace bertprep {
namespace {

constexpr std::string_view kModulo = "mod";

bool is_compared(std::string_view text, std::size_t equals) {
  return equals > 0 && std::string_view("!<>").find(text[equals - 1]) != std::string_view::npos;
}

std::string in_python(std::string_view expression) {
  std::string text;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    if (expression.substr(i).starts_with(kModulo)) {
      text += '%';
      i += kModulo.size() - 1;
    } else if (expression[i] == '=' && !is_compared(expression, i)) {
      text += "==";
    } else {
      text += expression[i];
    }
  }
  return text;
}

}  // namespace

void append_expression(std::string_view expression, std::string& out) {
  const std::string python = in_python(expression);
  if (const auto result = evaluate(python)) {
    out += *result;
    return;
  }
  out += "<span class=\"error\">";
  out += python;
  out += "</span>";
}

}  // namespace bertprep
