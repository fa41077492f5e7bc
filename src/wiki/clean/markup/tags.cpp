#include "wiki/clean/markup/tags.h"

#include <algorithm>
#include <array>
#include <utility>

#include "wiki/clean/markup/chars.h"

namespace bertprep::clean {
namespace {

constexpr std::size_t kLongestTagName = 24;

using Entry = std::pair<std::string_view, TagKind>;

constexpr std::array kTags = std::to_array<Entry>({
    {"a", TagKind::kInline},
    {"abbr", TagKind::kInline},
    {"b", TagKind::kInline},
    {"bdi", TagKind::kInline},
    {"bdo", TagKind::kInline},
    {"big", TagKind::kInline},
    {"blockquote", TagKind::kBlock},
    {"br", TagKind::kBreak},
    {"caption", TagKind::kBlock},
    {"categorytree", TagKind::kRemovedBlock},
    {"ce", TagKind::kFormula},
    {"center", TagKind::kBlock},
    {"charinsert", TagKind::kRemoved},
    {"chem", TagKind::kFormula},
    {"cite", TagKind::kInline},
    {"code", TagKind::kInline},
    {"data", TagKind::kInline},
    {"dd", TagKind::kItem},
    {"del", TagKind::kInline},
    {"dfn", TagKind::kInline},
    {"div", TagKind::kBlock},
    {"dl", TagKind::kBlock},
    {"dt", TagKind::kItem},
    {"em", TagKind::kInline},
    {"font", TagKind::kInline},
    {"gallery", TagKind::kRemovedBlock},
    {"graph", TagKind::kRemovedBlock},
    {"h1", TagKind::kHeading},
    {"h2", TagKind::kHeading},
    {"h3", TagKind::kHeading},
    {"h4", TagKind::kHeading},
    {"h5", TagKind::kHeading},
    {"h6", TagKind::kHeading},
    {"hiero", TagKind::kRemoved},
    {"hr", TagKind::kBlock},
    {"i", TagKind::kInline},
    {"imagemap", TagKind::kRemovedBlock},
    {"img", TagKind::kInline},
    {"includeonly", TagKind::kRemoved},
    {"indicator", TagKind::kRemoved},
    {"inputbox", TagKind::kRemovedBlock},
    {"ins", TagKind::kInline},
    {"kbd", TagKind::kInline},
    {"li", TagKind::kItem},
    {"mapframe", TagKind::kRemovedBlock},
    {"maplink", TagKind::kRemoved},
    {"mark", TagKind::kInline},
    {"math", TagKind::kFormula},
    {"nobr", TagKind::kInline},
    {"noinclude", TagKind::kInline},
    {"nowiki", TagKind::kNowiki},
    {"ol", TagKind::kBlock},
    {"onlyinclude", TagKind::kInline},
    {"p", TagKind::kBlock},
    {"poem", TagKind::kBlock},
    {"pre", TagKind::kRemovedBlock},
    {"q", TagKind::kInline},
    {"rb", TagKind::kInline},
    {"ref", TagKind::kRef},
    {"references", TagKind::kRemovedBlock},
    {"rp", TagKind::kRemoved},
    {"rt", TagKind::kRemoved},
    {"ruby", TagKind::kInline},
    {"s", TagKind::kInline},
    {"samp", TagKind::kInline},
    {"score", TagKind::kRemoved},
    {"script", TagKind::kRemoved},
    {"section", TagKind::kInline},
    {"small", TagKind::kInline},
    {"source", TagKind::kRemovedBlock},
    {"span", TagKind::kInline},
    {"strike", TagKind::kInline},
    {"strong", TagKind::kInline},
    {"style", TagKind::kRemoved},
    {"sub", TagKind::kInline},
    {"sup", TagKind::kRaise},
    {"syntaxhighlight", TagKind::kRemovedBlock},
    {"table", TagKind::kTable},
    {"tbody", TagKind::kInline},
    {"td", TagKind::kBlock},
    {"templatedata", TagKind::kRemoved},
    {"templatestyles", TagKind::kRemoved},
    {"th", TagKind::kBlock},
    {"time", TagKind::kInline},
    {"timeline", TagKind::kRemovedBlock},
    {"tr", TagKind::kBlock},
    {"tt", TagKind::kInline},
    {"u", TagKind::kInline},
    {"ul", TagKind::kBlock},
    {"var", TagKind::kInline},
    {"wbr", TagKind::kInline},
});

static_assert(std::is_sorted(kTags.begin(), kTags.end(),
                             [](const Entry& a, const Entry& b) { return a.first < b.first; }));

bool is_name_byte(char byte) {
  return is_ascii_letter(byte) || is_ascii_digit(byte) || byte == '-' || byte == '_';
}

// The `>` of the tag whose attributes begin at `begin`, or npos. With an odd quote, quotes count for nothing.
std::size_t find_end(std::string_view text, std::size_t begin) {
  const std::size_t limit = std::min(text.find('<', begin), text.size());
  char quote = 0;
  for (std::size_t i = begin; i < limit; ++i) {
    const char byte = text[i];
    if (quote != 0) {
      if (byte == quote) quote = 0;
    } else if (byte == '>') {
      return i;
    } else if ((byte == '"' || byte == '\'') && text[i - 1] == '=') {
      quote = byte;
    }
  }
  const std::size_t plain = text.substr(0, limit).find('>', begin);
  return plain;
}

// For unknown and one-letter names: <name>, <name/> and <name key=...> are tags; `<y and z>` is an inequality.
bool looks_like_tag(const Tag& tag) {
  const std::string_view rest = trim(tag.attributes);
  return rest.empty() || rest.find('=') != std::string_view::npos;
}

// `<br` before a line of text that holds a `>` somewhere.
bool goes_on_in_text(const Tag& tag) {
  return tag.kind != TagKind::kRef && tag.attributes.find('\n') != std::string_view::npos && !looks_like_tag(tag);
}

// `<ref name="x" <ref>`: the first ends where the second or the next line begins.
void read_open_ref(std::string_view text, std::size_t begin, Tag& tag) {
  tag.end = std::min(text.find_first_of("<\n", begin), text.size());
  tag.attributes = {};
  tag.empty = true;
}

// The end of the attribute, or of the slash, that begins behind the blanks at `begin`; `begin` where there is none.
std::size_t attribute_end(std::string_view line, std::size_t begin) {
  const std::size_t name = std::min(line.find_first_not_of(' ', begin), line.size());
  if (name < line.size() && line[name] == '/') return name + 1;
  std::size_t at = name;
  while (at < line.size() && is_name_byte(line[at])) ++at;
  if (at == name || at == line.size() || line[at] != '=') return begin;
  ++at;
  const bool is_quoted = at < line.size() && (line[at] == '"' || line[at] == '\'');
  const std::size_t quote = is_quoted ? line.find(line[at], at + 1) : std::string_view::npos;
  return quote != std::string_view::npos ? quote + 1 : std::min(line.find(' ', at), line.size());
}

// A tag that lost its `>` ends behind its attributes: `<br`, `</div`, `<span style="x"`. What follows are words.
void read_cut_tag(std::string_view text, std::size_t begin, Tag& tag) {
  const std::string_view line = text.substr(0, text.find_first_of("<\n", begin));
  tag.end = begin;
  for (std::size_t end = attribute_end(line, begin); end != tag.end; end = attribute_end(line, end)) tag.end = end;
  tag.attributes = text.substr(begin, tag.end - begin);
  tag.empty = tag.attributes.ends_with('/');
}

// <http://...>, <a@b>; but `the sea <br.` and `<br:`.
bool is_address_sign(std::string_view text, std::size_t at, TagKind kind) {
  if (at >= text.size() || std::string_view(":.@").find(text[at]) == std::string_view::npos) return false;
  return kind != TagKind::kBreak && (kind == TagKind::kUnknown || (at + 1 < text.size() && is_word_byte(text[at + 1])));
}

}  // namespace

TagKind kind_of_tag(std::string_view lower_name) {
  const auto found = std::lower_bound(kTags.begin(), kTags.end(), lower_name,
                                      [](const Entry& entry, std::string_view name) { return entry.first < name; });
  return found != kTags.end() && found->first == lower_name ? found->second : TagKind::kUnknown;
}

bool read_tag(std::string_view text, std::size_t at, Tag& tag) {
  std::size_t i = at + 1;
  while (i < text.size() && i < at + 3 && text[i] == ' ') ++i;
  tag.closing = i < text.size() && text[i] == '/';
  if (tag.closing) ++i;
  while (tag.closing && i < text.size() && i < at + 5 && text[i] == ' ') ++i;
  if (i >= text.size() || !is_ascii_letter(text[i])) return false;
  tag.name.clear();
  while (i < text.size() && tag.name.size() < kLongestTagName && is_name_byte(text[i])) {
    tag.name.push_back(ascii_lower(text[i++]));
  }
  tag.kind = kind_of_tag(tag.name);
  if (is_address_sign(text, i, tag.kind)) return false;
  const bool has_blank = i > at + 1 + tag.name.size() + (tag.closing ? 1 : 0);
  if (has_blank && (tag.kind == TagKind::kUnknown || tag.name.size() == 1)) return false;
  const bool is_name = tag.kind != TagKind::kUnknown && (tag.name.size() > 1 || tag.closing);
  const std::size_t end = find_end(text, i);
  if (end == std::string_view::npos && tag.kind == TagKind::kRef && !tag.closing) {
    read_open_ref(text, i, tag);
    return true;
  }
  if (end == std::string_view::npos) {
    if (is_name && !has_blank) read_cut_tag(text, i, tag);
    return is_name && !has_blank;
  }
  tag.attributes = text.substr(i, end - i);
  if (is_name && !has_blank && goes_on_in_text(tag)) {
    read_cut_tag(text, i, tag);
    return true;
  }
  std::string_view rest = trim_right(tag.attributes);
  tag.empty = rest.ends_with('/');
  if (tag.empty) tag.attributes = rest.substr(0, rest.size() - 1);
  tag.end = end + 1;
  const bool is_sure = tag.kind != TagKind::kUnknown && tag.name.size() > 1;
  return is_sure || looks_like_tag(tag);
}

}  // namespace bertprep::clean
