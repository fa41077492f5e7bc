#include "wiki/clean/call.h"

#include <algorithm>

#include "wiki/clean/inline.h"
#include "wiki/clean/markup/chars.h"

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

// Character references read, quotes of bold and italics gone, trimmed.
std::string plain_text(std::string_view text) {
  std::string plain(text);
  replace_all(plain, "''", "");
  unescape_html(plain);
  replace_all(plain, "\xC2\xA0", " ");
  replace_all(plain, std::string_view(&kBreakMark, 1), " ");
  return std::string(trim(plain));
}

constexpr std::size_t kFarthestBracket = 300;

// Whether a bracket of the line is still open, an ASCII or a wide one.
bool ends_in_brackets(std::string_view text) {
  int closed = 0;
  text.remove_prefix(text.size() > kFarthestBracket ? text.size() - kFarthestBracket : 0);
  for (; !text.empty() && text.back() != '\n'; text.remove_suffix(1)) {
    if (text.back() == ')' || text.ends_with("）")) ++closed;
    if ((text.back() == '(' || text.ends_with("（")) && closed-- == 0) return true;
  }
  return false;
}

class DescriptionWriter {
 public:
  DescriptionWriter(TemplateCall& call, const Description& description, std::string_view name)
      : call_(call), text_(description.text), name_(name) {}

  void write(std::string& out) {
    is_in_brackets_ = ends_in_brackets(out);
    std::string written;
    if (!append(written)) return;
    for (const std::string_view name : shown_) call_.ignore(name);
    out.append(written);
  }

 private:
  // Up to the end, or to a `]`. False: an argument is missing.
  bool append(std::string& out) {
    bool is_complete = true;
    const std::size_t shown_before = shown_.size();
    const bool is_outer_hidden = std::exchange(is_hidden_by_rule_, false);
    while (at_ < text_.size()) {
      const char byte = text_[at_++];
      if (byte == ']') break;
      if (byte == '[') {
        std::string part;
        if (append(part)) out.append(part);
      } else if (byte == '{') {
        is_complete = append_argument(out) && is_complete;
      } else if (byte == '\\' && at_ < text_.size()) {
        append_as_reference(text_[at_++], out);
      } else {
        out.push_back(byte);
      }
    }
    // What a condition hides is hidden by rule; what is hidden for want of another argument is not.
    const bool is_hidden_by_rule = std::exchange(is_hidden_by_rule_, is_outer_hidden) || is_outer_hidden;
    if (!is_complete && !is_hidden_by_rule) shown_.resize(shown_before);
    return is_complete;
  }

  bool append_argument(std::string& out) {
    const std::size_t end = std::min(text_.find('}', at_), text_.size());
    std::string_view names = text_.substr(at_, end - at_);
    at_ = std::min(end + 1, text_.size());
    const std::size_t equals = names.find('=');
    const std::string_view otherwise = equals == names.npos ? std::string_view() : names.substr(equals + 1);
    names = names.substr(0, equals);
    if (names == "0") return append_name(out);
    if (names == "¶" || names == "^") {
      out.push_back(names == "^" ? kRaiseMark : kBlockMark);
      return true;
    }
    if (names == "(" || names == ")" || names == "（" || names == "）") {
      if (!is_in_brackets_) out.append(names);
      return true;
    }
    if (names.starts_with('~')) return take_as_read(names.substr(1));
    if (names.starts_with('!') || names.starts_with('?')) return meets(names.front() == '?', names.substr(1));
    const char kind = names.empty() ? ' ' : names.front();
    if (kind == '#' || kind == '%') names.remove_prefix(1);
    const std::string_view text = first_given(names);
    if (text.empty()) {
      out.append(otherwise);
      return !otherwise.empty();
    }
    append_as(kind, text, out);
    return true;
  }

  // "k/1": argument k or, without it, the first one.
  std::string_view first_given(std::string_view names) {
    std::string_view first;
    for_each_item(names, "/", [&](std::string_view name) {
      if (first.empty()) first = call_.seen(name);
      shown_.push_back(name);
    });
    return first;
  }

  bool meets(bool is_wanted, std::string_view names) {
    take_as_read(names);
    const bool is_met = !first_given(names).empty() == is_wanted;
    is_hidden_by_rule_ = is_hidden_by_rule_ || !is_met;
    return is_met;
  }

  bool take_as_read(std::string_view names) {
    for_each_item(names, "/", [&](std::string_view name) { call_.ignore(name); });
    return true;
  }

  void append_as(char kind, std::string_view text, std::string& out) const {
    if (kind == '#') {
      out.append(call_.table().month_name(text));
    } else if (kind == '%') {
      out.append(localized_number(text, call_.table().number_signs()));
    } else {
      out.append(text);
    }
  }

  // MediaWiki writes a page's name with a capital, whichever letter a link begins with.
  bool append_name(std::string& out) const {
    std::string name(trim(name_));
    std::replace(name.begin(), name.end(), '_', ' ');
    if (!name.empty() && name[0] >= 'a' && name[0] <= 'z') name[0] = static_cast<char>(name[0] - 'a' + 'A');
    out.append(name);
    return !name.empty();
  }

  TemplateCall& call_;
  std::string_view text_;
  std::string_view name_;
  std::size_t at_ = 0;
  std::vector<std::string_view> shown_;  // the arguments of all parts that are complete
  bool is_hidden_by_rule_ = false;
  bool is_in_brackets_ = false;
};

}  // namespace

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
    const std::string_view trimmed = trim(text);
    if (closes_its_quotes(trimmed)) {
      append_without_quotes(trimmed, *argument.text);
    } else {
      argument.text = trimmed;
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

void write_description(TemplateCall& call, const Description& description, std::string_view name, std::string& out) {
  DescriptionWriter(call, description, name).write(out);
}

}  // namespace bertprep::clean
