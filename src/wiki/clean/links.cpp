#include "wiki/clean/links.h"

#include <algorithm>

#include "wiki/clean/language_table.h"
#include "wiki/clean/markup/chars.h"

namespace bertprep::clean {
namespace {

constexpr std::size_t kLongestTarget = 1000;  // bounds the depth of "w:s:w:..."
constexpr std::size_t kLongestNamespace = 40;
constexpr std::size_t kLongestFileLine = 120;
constexpr std::string_view kFileKey = "6";
constexpr std::string_view kCategoryKey = "14";

// Wikipedia's languages have codes of two or three letters, and some longer ones.
bool is_language(std::string_view prefix) {
  if (common_table().lists("language prefixes", prefix)) return true;
  return (prefix.size() == 2 || prefix.size() == 3) &&
         std::all_of(prefix.begin(), prefix.end(), [](char byte) { return byte >= 'a' && byte <= 'z'; });
}

// "X.jpg", whatever the name of the namespace before it.
bool has_file_ending(std::string_view title) {
  constexpr std::string_view kEndings = "jpg jpeg png svg gif tif tiff webp ogg oga ogv webm wav mid pdf djvu";
  const std::size_t dot = title.rfind('.');
  return dot != std::string_view::npos && has_word(kEndings, normal_name(title.substr(dot + 1)));
}

// The key of the wiki's namespace of that name in its normal form; null if there is none.
const std::string* namespace_key(const WikiSite& site, std::string_view name) {
  const auto found = std::ranges::find_if(
      site.namespaces, [&](const auto& known) { return !name.empty() && normal_name(known.first) == name; });
  return found == site.namespaces.end() ? nullptr : &found->second;
}

std::string without_section(std::string_view title) {
  const std::size_t hash = title.find('#');
  if (hash == std::string_view::npos) return std::string(title);
  return std::string(trim(hash == 0 ? title.substr(1) : title.substr(0, hash)));
}

}  // namespace

LinkTarget read_target(std::string_view target, const WikiSite& site) {
  target = trim(target);
  if (equals_in_any_case(target, "#top")) return {LinkKind::kNothing, {}};
  if (target.size() > kLongestTarget) return {LinkKind::kTitle, std::string(target)};
  const bool has_colon = target.starts_with(':');  // [[:File:x]] is a link to the file's page
  if (has_colon) target = trim(target.substr(1));
  const std::size_t colon = target.find(':');
  if (colon == std::string_view::npos || colon == 0) return {LinkKind::kTitle, without_section(target)};
  const std::string_view written = trim(target.substr(0, colon));
  const std::string_view rest = trim(target.substr(colon + 1));
  const std::string prefix = normal_name(written);
  const LinkKind kind_of_file = has_colon ? LinkKind::kLabelOnly : LinkKind::kNothing;
  if (common_table().lists("file prefixes", prefix) || has_file_ending(rest)) return {kind_of_file, {}};
  const std::string* const key = namespace_key(site, prefix);
  if (key != nullptr && (*key == kFileKey || *key == kCategoryKey)) return {kind_of_file, {}};
  if (key != nullptr || common_table().lists("wiki prefixes", prefix)) return {LinkKind::kLabelOnly, {}};
  const bool is_tight = rest.size() == target.size() - colon - 1;
  if (is_tight && common_table().lists("site prefixes", prefix)) {
    const LinkTarget inner = read_target(rest.substr(rest.starts_with(':') ? 1 : 0), site);
    return {LinkKind::kTitle, inner.kind == LinkKind::kTitle ? inner.shown : std::string()};
  }
  if (is_tight && is_language(written)) {
    return {has_colon ? LinkKind::kTitle : LinkKind::kNothing, without_section(rest)};
  }
  return {LinkKind::kTitle, without_section(target)};
}

bool is_file_line(std::string_view line) {
  line = line.substr(std::min(line.find_first_not_of("[ "), line.size()));
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon > kLongestNamespace) return false;
  if (!common_table().lists("file prefixes", normal_name(line.substr(0, colon)))) return false;
  if (line.size() <= kLongestFileLine && colon + 1 < line.size() && !is_blank(line[colon + 1])) return true;
  const std::size_t bar = std::min(line.find('|'), line.size());
  const std::size_t dot = line.substr(0, bar).rfind('.');
  if (dot == std::string_view::npos || dot < colon) return false;
  const std::string_view ending = trim(line.substr(dot + 1, bar - dot - 1));
  return ending.size() >= 3 && ending.size() <= 4 && std::all_of(ending.begin(), ending.end(), is_word_byte);
}

bool looks_like_category(std::string_view target) {
  const std::size_t colon = target.find(':');
  return colon != std::string_view::npos && colon > 0 && colon + 1 < target.size() && !is_blank(target[colon + 1]);
}

std::string short_title(std::string_view title) {
  const std::size_t bracket = title.rfind('(');
  if (bracket != std::string_view::npos && bracket > 0 && trim_right(title).ends_with(')')) {
    return std::string(trim(title.substr(0, bracket)));
  }
  return std::string(trim(title.substr(0, title.find(", "))));
}

}  // namespace bertprep::clean
