#include "wiki/clean/call.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "wiki/clean/apostrophes.h"
#include "wiki/clean/inline.h"
#include "wiki/clean/markup/chars.h"
#include "wiki/clean/markup/entities.h"

namespace bertprep::clean {
namespace {

constexpr std::size_t kMaxArguments = 400;  // a look-up walks through all of them

const std::string& nothing() {
  static const std::string kNothing;
  return kNothing;
}

// Arguments that set how a text looks, where it links to or in which category its page is, by the names that they have
// in all templates.
bool is_without_effect(std::string_view name) {
  constexpr std::string_view kNames =
      "style class id color colour bg bgcolor background size width height align nocat nocategory cat category lk link "
      "links nolink ref date reason lang";
  return has_word(kNames, name);
}

constexpr std::size_t kLongestTitle = 90;
constexpr std::size_t kLongestKey = 20;

// "|key =": an argument whose template is gone.
bool begins_argument(std::string_view after_bar) {
  const std::string_view head = after_bar.substr(0, kLongestKey);
  const std::size_t sign = head.find('=');
  if (sign == std::string_view::npos) return false;
  const std::string_view key = trim(head.substr(0, sign));
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char byte) {
    return is_ascii_letter(byte) || is_ascii_digit(byte) || byte == '_' || byte == '-' || byte == ' ';
  });
}

std::size_t argument_end(std::string_view text, std::size_t at) {
  const std::size_t end = std::min(text.find_first_of("|}", at), text.size());
  return end < text.size() && text[end] == '}' ? std::min(text.find_first_not_of('}', end), text.size()) : end;
}

// Where the title begins whose bar comes next in `out`: past a `[` of its own, which vanishes, or past the last
// punctuation when only the closing brackets are left.
std::size_t title_begin(const std::string& out, bool has_opening) {
  const std::size_t limit = out.size() > kLongestTitle ? out.size() - kLongestTitle : 0;
  if (has_opening) {
    const std::size_t found = out.find_last_of("[]");
    return found != std::string::npos && found >= limit && out[found] == '[' ? found : out.size();
  }
  const std::size_t found = out.find_last_of(".,;:([\"\n");
  if (found == std::string::npos) return limit == 0 ? 0 : out.size();
  return found >= limit ? std::min(out.find_first_not_of(' ', found + 1), out.size()) : out.size();
}

// "thumb", "300px", "left": how an image is set.
bool is_image_option(std::string_view piece) {
  const std::string name = normal_name(piece);
  constexpr auto kOptions = std::to_array<std::string_view>(
      {"thumb",  "thumbnail", "frame",     "frameless", "left",     "right", "center", "upright",
       "mini",   "miniatur",  "miniatura", "miniatyr",  "vignette", "мини",  "міні",   "gauche",
       "droite", "links",     "rechts",    "destra",    "sinistra", "border"});
  if (std::find(kOptions.begin(), kOptions.end(), name) != kOptions.end()) return true;
  return name.size() > 2 && name.size() < 10 && name.ends_with("px") && is_ascii_digit(name[0]);
}

std::string_view next_piece(std::string_view text) {
  return text.substr(0, std::min<std::size_t>(text.find_first_of("|]\n"), kLongestKey));
}

// Takes the file's name from the end of `out`: back to a blank or a bracket.
void drop_file_name(std::string& out) {
  const std::size_t dot = out.rfind('.');
  if (dot == std::string::npos || out.size() - dot > 5 || out.find(' ', dot) != std::string::npos) return;
  const std::size_t before = out.find_last_of(" [\n");
  out.resize(before == std::string::npos ? 0 : before + 1);
}

}  // namespace

bool has_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

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
    if (arguments_.size() == kMaxArguments) {
      is_too_long_ = true;
      return;
    }
    const std::size_t sign = renderer.find_outside(piece, '=');
    if (sign == piece.end) {
      arguments_.push_back({std::to_string(++count_), piece, std::nullopt});
      continue;
    }
    std::string key = normal_name(renderer.text({piece.begin, sign}));
    if (key.size() == 1 && is_ascii_digit(key[0]))
      count_ = std::max<std::size_t>(count_, static_cast<std::size_t>(key[0] - '0'));
    arguments_.push_back({std::move(key), {sign + 1, piece.end}, std::nullopt});
  }
}

const std::string& TemplateCall::text_of(Argument& argument) {
  if (!argument.text) {
    std::string text;
    renderer_.render(argument.value, depth_ + 1, text);
    argument.text.emplace();
    if (closes_its_quotes(trim(text))) {
      append_without_quotes(trim(text), *argument.text);
    } else {
      argument.text = std::string(trim(text));
    }
  }
  return *argument.text;
}

const std::string& TemplateCall::named(std::string_view name) {
  Argument* last = nullptr;  // which MediaWiki takes of those with one name
  for (Argument& argument : arguments_) {
    if (argument.name != name) continue;
    argument.is_read = true;
    last = &argument;
  }
  return last == nullptr ? nothing() : text_of(*last);
}

const std::string& TemplateCall::seen(std::string_view name) {
  for (auto argument = arguments_.rbegin(); argument != arguments_.rend(); ++argument) {
    if (argument->name == name) return text_of(*argument);
  }
  return nothing();
}

const std::string& TemplateCall::at(std::size_t number) {
  return named(std::to_string(number));
}

bool TemplateCall::has(std::string_view name) {
  ignore(name);
  return std::any_of(arguments_.begin(), arguments_.end(), [&](const Argument& a) { return a.name == name; });
}

bool TemplateCall::has_only(std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) ignore(name);
  return std::all_of(arguments_.begin(), arguments_.end(), [&](const Argument& argument) {
    return is_ascii_digits(argument.name) || trim(renderer_.text(argument.value)).empty() ||
           std::find(names.begin(), names.end(), argument.name) != names.end();
  });
}

const std::string& TemplateCall::any_of(std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) ignore(name);
  for (const std::string_view name : names) {
    const std::string& text = seen(name);
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

void TemplateCall::ignore(std::string_view names) {
  if (names.empty()) return;
  for (Argument& argument : arguments_) {
    argument.is_read = argument.is_read || names == "*" || has_word(names, argument.name);
  }
}

bool TemplateCall::has_unread() {
  return is_too_long_ || std::any_of(arguments_.begin(), arguments_.end(), [&](Argument& argument) {
           return !argument.is_read && !is_without_effect(argument.name) &&
                  !trim(renderer_.text(argument.value)).empty() && !text_of(argument).empty();
         });
}

void remove_bars(std::string& text) {
  if (text.find('|') == std::string::npos) return;
  const std::string_view all = text;
  std::string out;
  std::size_t closing = std::string_view::npos;  // a `]` to leave out
  for (std::size_t at = 0; at < all.size(); ++at) {
    if (at == closing) continue;
    if (all[at] != '|') {
      out.push_back(all[at]);
      continue;
    }
    const std::string_view rest = all.substr(at + 1);
    if (begins_argument(rest)) {
      at = argument_end(all, at + 1) - 1;
      continue;
    }
    const std::size_t piece_end = std::min(rest.substr(0, kLongestKey).find_first_of("|]\n"), rest.size());
    if (piece_end < rest.size() && piece_end < kLongestKey && is_image_option(rest.substr(0, piece_end))) {
      drop_file_name(out);
      at += piece_end + (rest[piece_end] == '|' && !is_image_option(next_piece(rest.substr(piece_end + 1))) ? 1 : 0);
      continue;
    }
    const std::string_view window = rest.substr(0, kLongestTitle);
    const std::size_t bracket = window.find_first_of("[]|");
    const bool has_closing = bracket != std::string_view::npos && window[bracket] == ']';
    if (has_closing) {
      const bool is_double = window.substr(bracket).starts_with("]]");
      std::size_t begin = title_begin(out, true);
      if (begin == out.size() && is_double) begin = title_begin(out, false);
      const bool is_link = begin < out.size();
      out.resize(begin);
      if (is_link && !is_double) closing = at + 1 + bracket;
      if (is_link) continue;
    }
    const bool is_stray = !rest.empty() && std::string_view(",.;").find(rest[0]) != std::string_view::npos;
    if (!is_stray) out.push_back('|');
  }
  text.swap(out);
}

}  // namespace bertprep::clean
