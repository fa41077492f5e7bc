#include "wiki/clean/markup/tags.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "wiki/clean/markup/chars.h"

namespace bertprep::clean {
namespace {

constexpr std::size_t kLongestTagName = 24;

// The names of each kind.
constexpr auto kTags = std::to_array<std::pair<TagKind, std::string_view>>({
    {TagKind::kInline,
     "a abbr b bdi bdo big cite code data del dfn em font i img ins kbd mark nobr noinclude "
     "onlyinclude q rb ruby s samp section small span strike strong sub tbody time tt u var wbr"},
    {TagKind::kBlock, "blockquote caption center div dl hr ol p poem td th tr ul"},
    {TagKind::kBreak, "br"},
    {TagKind::kRemovedBlock,
     "categorytree gallery graph imagemap inputbox mapframe pre references source "
     "syntaxhighlight timeline"},
    {TagKind::kFormula, "ce chem math"},
    {TagKind::kRemoved,
     "charinsert hiero includeonly indicator maplink rp rt score script style templatedata "
     "templatestyles"},
    {TagKind::kItem, "dd dt li"},
    {TagKind::kHeading, "h1 h2 h3 h4 h5 h6"},
    {TagKind::kNowiki, "nowiki"},
    {TagKind::kRef, "ref"},
    {TagKind::kRaise, "sup"},
    {TagKind::kTable, "table"},
});

bool is_name_byte(char byte) {
  return is_ascii_alphanumeric(byte) || byte == '-' || byte == '_';
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
  return text.substr(0, limit).find('>', begin);
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

TagKind kind_of_tag(std::string_view lower_name) {
  static const auto kKinds = [] {
    std::unordered_map<std::string_view, TagKind> kinds;
    for (const auto& [kind, names] : kTags) {
      for_each_item(names, " ", [&, of = kind](std::string_view name) { kinds.emplace(name, of); });
    }
    return kinds;
  }();
  const auto found = kKinds.find(lower_name);
  return found == kKinds.end() ? TagKind::kUnknown : found->second;
}

}  // namespace

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
  const bool may_be_cut = tag.kind != TagKind::kUnknown && (tag.name.size() > 1 || tag.closing) && !has_blank;
  const std::size_t end = find_end(text, i);
  if (end == std::string_view::npos && tag.kind == TagKind::kRef && !tag.closing) {
    read_open_ref(text, i, tag);
    return true;
  }
  if (end != std::string_view::npos) tag.attributes = text.substr(i, end - i);
  if (end == std::string_view::npos || (may_be_cut && goes_on_in_text(tag))) {
    if (may_be_cut) read_cut_tag(text, i, tag);
    return may_be_cut;
  }
  std::string_view rest = trim_right(tag.attributes);
  tag.empty = rest.ends_with('/');
  if (tag.empty) tag.attributes = rest.substr(0, rest.size() - 1);
  tag.end = end + 1;
  const bool is_sure = tag.kind != TagKind::kUnknown && tag.name.size() > 1;
  return is_sure || looks_like_tag(tag);
}

}  // namespace bertprep::clean
