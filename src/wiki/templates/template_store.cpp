#include "wiki/templates/template_store.h"

#include <algorithm>

#include "unicode/utf8_text.h"
#include "wiki/markup/entities.h"

namespace bertprep {
namespace {

constexpr std::string_view kTitleSpaces = " \t\n\v\f\r\x1C\x1D\x1E\x1F";

// Calls `keep` with the text outside open...close and `take` with the text inside, from left to right.
template <class Keep, class Take>
void split_at_pairs(std::string_view text, std::string_view open, std::string_view close, Keep keep, Take take) {
  std::size_t copied = 0;
  while (true) {
    const auto begin = text.find(open, copied);
    if (begin == std::string_view::npos) break;
    const auto inside = begin + open.size();
    const auto end = text.find(close, inside);
    if (end == std::string_view::npos) break;
    keep(text.substr(copied, begin - copied));
    take(text.substr(inside, end - inside));
    copied = end + close.size();
  }
  keep(text.substr(copied));
}

std::string without_pairs(std::string_view text, std::string_view open, std::string_view close) {
  std::string out;
  split_at_pairs(
      text, open, close, [&out](std::string_view outside) { out += outside; }, [](std::string_view) {});
  return out;
}

// Where an unclosed <noinclude> begins; blanks may precede its >.
std::size_t unclosed_noinclude(std::string_view text) {
  constexpr std::string_view kOpen = "<noinclude";
  for (auto at = text.find(kOpen); at != std::string_view::npos; at = text.find(kOpen, at + 1)) {
    const auto end = text.find_first_not_of(kTitleSpaces, at + kOpen.size());
    if (end != std::string_view::npos && text[end] == '>') return at;
  }
  return text.size();
}

// False: there are none.
bool only_included(std::string_view text, std::string& out) {
  bool found = false;
  split_at_pairs(
      text, "<onlyinclude>", "</onlyinclude>", [](std::string_view) {},
      [&](std::string_view inside) {
        found = true;
        out += inside;
      });
  return found;
}

}  // namespace

std::string template_definition(std::string_view text, const unicode::WordCharacters& words) {
  std::string body;
  if (!unescape(text, words, body)) body = text;
  body = without_pairs(body, "<!--", "-->");
  body = without_pairs(body, "<noinclude>", "</noinclude>");
  body.resize(unclosed_noinclude(body));
  replace_all(body, "<noinclude/>", "");
  std::string only;
  if (only_included(body, only)) return only;
  replace_all(body, "<includeonly>", "");
  replace_all(body, "</includeonly>", "");
  return body;
}

void TemplateStore::define(std::string_view title, std::string_view text) {
  std::string definition = template_definition(text, words_);
  if (!definition.empty()) definitions_.insert_or_assign(std::string(title), std::move(definition));
}

const std::string* TemplateStore::find(std::string_view title) const {
  const auto found = definitions_.find(title);
  return found == definitions_.end() ? nullptr : &found->second;
}

}  // namespace bertprep
