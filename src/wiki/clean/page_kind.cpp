#include "wiki/clean/page_kind.h"

#include <algorithm>
#include <string>

#include "wiki/clean/language_table.h"
#include "wiki/clean/markup/chars.h"

namespace bertprep::clean {
namespace {

constexpr std::size_t kLongestPrefix = 90;

// {{Disambiguation needed}} marks a link in an article.
bool is_remark(std::string_view name) {
  return name.find("needed") != std::string_view::npos || name.find("inline") != std::string_view::npos;
}

bool is_disambiguation_template(std::string_view name) {
  if (common_table().lists("disambiguations", name)) return true;
  const bool is_named = name.starts_with("disambig") || name.starts_with("homonymie de ") ||
                        name.ends_with(" disambiguation") || name.ends_with(" disambig");
  return is_named && !is_remark(name);
}

bool has_disambiguation_title(std::string_view title) {
  const std::size_t bracket = title.rfind('(');
  if (bracket == std::string_view::npos || !title.ends_with(')')) return false;
  return common_table().lists("disambiguation titles",
                              normal_name(title.substr(bracket + 1, title.size() - bracket - 2)));
}

}  // namespace

bool is_redirect(std::string_view text) {
  text = trim(text);
  if (!text.starts_with('#') && !text.starts_with("＃")) return false;
  text.remove_prefix(text.starts_with('#') ? 1 : std::string_view("＃").size());
  const std::size_t link = text.find("[[");
  if (link == std::string_view::npos || link > kLongestPrefix || text.substr(0, link).find('\n') < link) return false;
  std::string word = normal_name(text.substr(0, link));
  while (word.ends_with(':') || word.ends_with(' ')) word.pop_back();
  return common_table().lists("redirects", word);
}

bool is_disambiguation(std::string_view title, std::string_view text, std::span<const Mark> marks) {
  if (has_disambiguation_title(title) || text.find("__DISAMBIG__") != std::string_view::npos) return true;
  return std::any_of(marks.begin(), marks.end(), [&](const Mark& mark) {
    if (mark.kind != MarkKind::kTemplate || mark.is_open()) return false;
    const std::string_view inside = text.substr(mark.begin + 2, mark.end - mark.begin - 4);
    const std::string_view name = inside.substr(0, inside.substr(0, kLongestPrefix).find('|'));
    return name.size() < kLongestPrefix && is_disambiguation_template(normal_name(name));
  });
}

}  // namespace bertprep::clean
