// What a description in a language's table makes of a call.
#include <algorithm>
#include <utility>
#include <vector>

#include "wiki/clean/language_table.h"
#include "wiki/clean/markup/chars.h"

namespace bertprep::clean {
namespace {

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
        // As character references, which no later stage takes for markup.
        out.append("&#").append(std::to_string(static_cast<int>(text_[at_++]))).append(";");
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
    if (names == "¶") {
      out.push_back(kBlockMark);
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
    for_each_name(names, [&](std::string_view name) {
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
    for_each_name(names, [&](std::string_view name) { call_.ignore(name); });
    return true;
  }

  static void for_each_name(std::string_view names, const auto& take) {
    while (!names.empty()) {
      const std::size_t slash = std::min(names.find('/'), names.size());
      take(names.substr(0, slash));
      names.remove_prefix(std::min(slash + 1, names.size()));
    }
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

void write_description(TemplateCall& call, const Description& description, std::string_view name, std::string& out) {
  DescriptionWriter(call, description, name).write(out);
}

}  // namespace bertprep::clean
