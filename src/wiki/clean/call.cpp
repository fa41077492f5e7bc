#include "wiki/clean/call.h"

#include <algorithm>

#include "wiki/clean/chars.h"
#include "wiki/clean/entities.h"

namespace bertprep::clean {
namespace {

constexpr std::size_t kMostArguments = 400;  // a look-up walks through all of them

const std::string& nothing() {
  static const std::string kNothing;
  return kNothing;
}

}  // namespace

std::string plain_text(std::string_view text) {
  std::string plain(text);
  replace_all(plain, "''", "");
  unescape_html(plain);
  replace_all(plain, "\xC2\xA0", " ");
  replace_all(plain, std::string_view(&kBreakMark, 1), " ");
  return std::string(trim(plain));
}

TemplateCall::TemplateCall(Renderer& renderer, std::string name, std::optional<Span> arguments, int depth)
    : renderer_(renderer), name_(std::move(name)), depth_(depth) {
  if (!arguments) return;
  for (const Span piece : renderer.split(*arguments)) {
    if (arguments_.size() == kMostArguments) return;
    const std::size_t sign = renderer.find_outside(piece, '=');
    if (sign == piece.end) {
      arguments_.push_back({std::to_string(++count_), piece, std::nullopt});
      continue;
    }
    std::string key = normal_name(renderer.text({piece.begin, sign}));
    if (key.size() == 1 && is_digit(key[0]))
      count_ = std::max<std::size_t>(count_, static_cast<std::size_t>(key[0] - '0'));
    arguments_.push_back({std::move(key), {sign + 1, piece.end}, std::nullopt});
  }
}

const std::string& TemplateCall::text_of(Argument& argument) {
  if (!argument.text) {
    std::string text;
    renderer_.render(argument.value, depth_ + 1, text);
    argument.text = std::string(trim(text));
  }
  return *argument.text;
}

const std::string& TemplateCall::named(std::string_view name) {
  for (auto argument = arguments_.rbegin(); argument != arguments_.rend(); ++argument) {
    if (argument->name == name) return text_of(*argument);
  }
  return nothing();
}

const std::string& TemplateCall::at(std::size_t number) {
  return named(std::to_string(number));
}

bool TemplateCall::has(std::string_view name) const {
  return std::any_of(arguments_.begin(), arguments_.end(), [&](const Argument& a) { return a.name == name; });
}

const std::string& TemplateCall::any_of(std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const std::string& text = named(name);
    if (!text.empty()) return text;
  }
  return nothing();
}

const std::string& TemplateCall::last() {
  for (std::size_t number = count_; number > 0; --number) {
    const std::string& text = at(number);
    if (!text.empty()) return text;
  }
  return nothing();
}

std::string TemplateCall::plain(std::size_t number) {
  return plain_text(at(number));
}

std::string TemplateCall::plain(std::string_view name) {
  return plain_text(named(name));
}

}  // namespace bertprep::clean
