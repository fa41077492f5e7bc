#include "wiki/markup/links.h"

#include <algorithm>

#include "unicode/ascii.h"
#include "unicode/byte_search.h"
#include "unicode/utf8_text.h"
#include "wiki/markup/edits.h"

namespace bertprep {
namespace {

bool is_kept_prefix(std::string_view prefix) {
  return prefix == "w" || prefix == "wiktionary" || prefix == "wikt";
}

bool is_dropped(std::string_view title) {
  const std::size_t colon = title.find(':');
  if (colon == kNotFound) return false;
  if (colon > 0) return !is_kept_prefix(title.substr(0, colon));
  const std::size_t second = title.find(':', 1);
  return second != kNotFound && second > 1 && !is_kept_prefix(title.substr(1, second - 1));
}

// The next [[ or ]].
std::size_t find_bracket(std::string_view text, std::size_t from) {
  return find_bytes(text, from,
                    [](ByteBlock here, ByteBlock next) { return ((here == '[') | (here == ']')) & (here == next); });
}

// None is a prefix of another.
constexpr std::string_view kProtocols[] = {
    "//",      "bitcoin:", "ftp://",   "ftps://",   "geo:",    "git://",       "gopher://",
    "http://", "https://", "irc://",   "ircs://",   "magnet:", "mailto:",      "mms://",
    "news:",   "nntp://",  "redis://", "sftp://",   "sip:",    "sips:",        "sms:",
    "ssh://",  "svn://",   "tel:",     "telnet://", "urn:",    "worldwind://", "xmpp:"};
constexpr std::string_view kImageEndings[] = {".gif", ".png", ".jpg", ".jpeg"};

bool is_url_character(char32_t c) {
  if (c >= 0x80) return !unicode::is_space(c);
  return c > 0x20 && c != 0x7F && c != ']' && c != '[' && c != '<' && c != '>' && c != '"';
}

std::size_t skip_url(std::string_view text, std::size_t from) {
  while (from < text.size()) {
    const unicode::CodePoint c = unicode::code_point_at(text, from);
    if (!is_url_character(c.value)) break;
    from += c.bytes;
  }
  return from;
}

std::size_t skip_label_characters(std::string_view text, std::size_t from) {
  const auto ends = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return c == '[' || c == ']' || (byte < 0x20 && c != '\t');
  };
  while (from < text.size() && !ends(text[from])) ++from;
  return from;
}

// The end of the URL that begins at `from`, after at least one character following its protocol; nothing if there is no
// URL.
std::optional<std::size_t> end_of_url(std::string_view text, std::size_t from) {
  constexpr std::string_view kFirstLetters = "/bfghimnrstuwx";
  if (from >= text.size() || kFirstLetters.find(ascii_lower(text[from])) == kFirstLetters.npos) return {};
  for (const std::string_view protocol : kProtocols) {
    if (!starts_in_any_case(text.substr(from), protocol)) continue;
    const std::size_t rest = from + protocol.size();
    const std::size_t end = skip_url(text, rest);
    if (end == rest) return {};
    return end;
  }
  return {};
}

// The end of the label that begins at `from`: where its ] is. Nothing if something else ends it.
std::optional<std::size_t> end_of_label(std::string_view text, std::size_t from) {
  for (;;) {
    from = skip_label_characters(text, from);
    if (from >= text.size()) return {};
    if (text[from] == ']') return from;
    if (!text.substr(from).starts_with("[[")) return {};
    from = skip_label_characters(text, from + 2);
    if (!text.substr(from).starts_with("]]")) return {};
    from += 2;
  }
}

// A label that is the address of an image is not text.
bool is_image(std::string_view label) {
  const std::string_view protocol = starts_in_any_case(label, "https://") ? "https://" : "http://";
  if (!starts_in_any_case(label, protocol)) return false;
  const std::string_view path = label.substr(protocol.size());
  const std::size_t dot = path.rfind('.'), slash = path.rfind('/');
  if (dot == path.npos || slash == path.npos || slash == 0 || dot <= slash + 1) return false;
  return skip_url(path, 0) == path.size() &&
         std::any_of(std::begin(kImageEndings), std::end(kImageEndings), [&](std::string_view ending) {
           return path.size() - dot == ending.size() && starts_in_any_case(path.substr(dot), ending);
         });
}

}  // namespace

std::string_view InternalLinks::label_of(std::string_view text, MarkupSpan link) const {
  const std::size_t inner = link.begin + 2, inner_end = link.end - 2;
  const std::string_view whole = text.substr(inner, inner_end - inner);
  const std::size_t first_bar = whole.find('|');
  if (first_bar == kNotFound) return is_dropped(whole) ? std::string_view() : whole;
  if (is_dropped(strip_end(whole.substr(0, first_bar)))) return {};
  // The label begins after the last | before a nested link, while there is one.
  std::size_t bar = inner + first_bar, cursor = bar + 1;
  for (const MarkupSpan& nested : nested_) {
    if (nested.begin > cursor) {
      const std::size_t last = text.substr(cursor, nested.begin - cursor).rfind('|');
      if (last != kNotFound) bar = cursor + last;
    }
    cursor = nested.end;
  }
  return strip(text.substr(bar + 1, inner_end - bar - 1));
}

bool InternalLinks::replace(std::string_view text, std::string& out) {
  Edits edits(text, out);
  for (std::size_t begin = find_pair(text, '[', '['); begin != kNotFound;) {
    nested_.clear();
    std::size_t depth = 1, nested_begin = 0, at = begin + 2;
    while (depth > 0) {
      at = find_bracket(text, at);
      if (at == kNotFound) return edits.finish();
      if (text[at] == '[') {
        if (depth++ == 1) nested_begin = at;
      } else if (--depth == 1) {
        nested_.push_back({nested_begin, at + 2});
      }
      at += 2;
    }
    edits.replace(begin, at, label_of(text, {begin, at}));
    begin = find_pair(text, '[', '[', at);
  }
  return edits.finish();
}

bool replace_external_links(std::string_view text, std::string& out) {
  Edits edits(text, out);
  for (std::size_t begin = find_byte(text, '['); begin != text.npos;) {
    std::size_t next = begin + 1;
    const std::optional<std::size_t> url_end = end_of_url(text, begin + 1);
    if (url_end) {
      const std::size_t label = unicode::skip_spaces(text, *url_end);
      const std::optional<std::size_t> end = end_of_label(text, label);
      if (end) {
        const std::string_view shown = text.substr(label, *end - label);
        edits.replace(begin, *end + 1, is_image(shown) ? std::string_view() : shown);
        next = *end + 1;
      }
    }
    begin = find_byte(text, '[', next);
  }
  return edits.finish();
}

}  // namespace bertprep
