#include "wiki/markup/external_links.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "wiki/markup/edits.h"
#include "wiki/markup/markup_bytes.h"
#include "wiki/markup/word_characters.h"

namespace bertprep {
namespace {

// None of them begins with another one.
constexpr std::string_view kProtocols[] = {
    "//",      "bitcoin:", "ftp://",   "ftps://",   "geo:",    "git://",       "gopher://",
    "http://", "https://", "irc://",   "ircs://",   "magnet:", "mailto:",      "mms://",
    "news:",   "nntp://",  "redis://", "sftp://",   "sip:",    "sips:",        "sms:",
    "ssh://",  "svn://",   "tel:",     "telnet://", "urn:",    "worldwind://", "xmpp:"};
constexpr std::string_view kImageEndings[] = {".gif", ".png", ".jpg", ".jpeg"};

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

bool starts_with_word(std::string_view text, std::string_view word) {
  return text.size() >= word.size() &&
         std::equal(word.begin(), word.end(), text.begin(), [](char w, char t) { return w == lower(t); });
}

bool is_url_character(char32_t c) {
  if (c >= 0x80) return !is_space(c);
  return c > 0x20 && c != 0x7F && c != ']' && c != '[' && c != '<' && c != '>' && c != '"';
}

std::size_t skip_url(std::string_view text, std::size_t from) {
  while (from < text.size()) {
    const CodePoint c = code_point_at(text, from);
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

// The end of the URL that begins at `from`, after at least one character behind its protocol; nothing when there is no
// URL.
std::optional<std::size_t> end_of_url(std::string_view text, std::size_t from) {
  constexpr std::string_view kFirstLetters = "/bfghimnrstuwx";
  if (from >= text.size() || kFirstLetters.find(lower(text[from])) == kFirstLetters.npos) return {};
  for (const std::string_view protocol : kProtocols) {
    if (!starts_with_word(text.substr(from), protocol)) continue;
    const std::size_t rest = from + protocol.size();
    const std::size_t end = skip_url(text, rest);
    if (end == rest) return {};
    return end;
  }
  return {};
}

// The end of the label that begins at `from`: where its ] is. Nothing when something else ends it.
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

// A label that is the address of an image is no text.
bool is_image(std::string_view label) {
  const std::string_view protocol = starts_with_word(label, "https://") ? "https://" : "http://";
  if (!starts_with_word(label, protocol)) return false;
  const std::string_view path = label.substr(protocol.size());
  const std::size_t dot = path.rfind('.'), slash = path.rfind('/');
  if (dot == path.npos || slash == path.npos || slash == 0 || dot <= slash + 1) return false;
  return skip_url(path, 0) == path.size() &&
         std::any_of(std::begin(kImageEndings), std::end(kImageEndings), [&](std::string_view ending) {
           return path.size() - dot == ending.size() && starts_with_word(path.substr(dot), ending);
         });
}

}  // namespace

bool replace_external_links(std::string_view text, std::string& out) {
  Edits edits(text, out);
  for (std::size_t begin = find_byte(text, '['); begin != text.npos;) {
    std::size_t next = begin + 1;
    const std::optional<std::size_t> url_end = end_of_url(text, begin + 1);
    if (url_end) {
      const std::size_t label = skip_spaces(text, *url_end);
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
