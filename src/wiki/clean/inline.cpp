#include "wiki/clean/inline.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "unicode/byte_search.h"
#include "unicode/utf8_text.h"
#include "wiki/clean/language_table.h"
#include "wiki/clean/markup/chars.h"
#include "wiki/clean/markup/entities.h"
#include "wiki/clean/markup/tags.h"

namespace bertprep::clean {
namespace {

// The length of "http://" at the beginning of `text`; 0 when there is none.
std::size_t protocol_length(std::string_view text, bool in_brackets) {
  constexpr auto kProtocols = std::to_array<std::string_view>({"http://", "https://", "ftp://", "ftps://", "sftp://",
                                                               "irc://", "ircs://", "git://", "ssh://", "gopher://",
                                                               "telnet://", "nntp://", "svn://", "mms://", "redis://"});
  constexpr auto kInBrackets =
      std::to_array<std::string_view>({"//", "mailto:", "news:", "tel:", "geo:", "urn:", "magnet:", "sip:", "xmpp:"});
  for (const std::string_view protocol : kProtocols) {
    if (starts_in_any_case(text, protocol)) return protocol.size();
  }
  for (const std::string_view protocol : kInBrackets) {
    if (in_brackets && starts_in_any_case(text, protocol)) return protocol.size();
  }
  return 0;
}

std::size_t address_end(std::string_view text, std::size_t at) {
  constexpr std::string_view kEnds = " \t\n\"<>[]{}|\x01\x02\x03\x04\x05";
  return std::min(text.find_first_of(kEnds, at), text.size());
}

// The `]` that ends a label, over inner pairs; npos when the line has none.
std::size_t closing_bracket(std::string_view text, std::size_t at) {
  int depth = 0;
  for (; at < text.size() && text[at] != '\n'; ++at) {
    if (text[at] == '[') ++depth;
    if (text[at] == ']' && depth-- == 0) return at;
  }
  return std::string_view::npos;
}

// An address in a sentence does not hold the sentence's punctuation.
std::size_t bare_address_end(std::string_view text, std::size_t at) {
  std::size_t end = address_end(text, at);
  const bool has_bracket = text.substr(at, end - at).find('(') != std::string_view::npos;
  while (end > at && (std::string_view(".,;:!?'").find(text[end - 1]) != std::string_view::npos ||
                      (text[end - 1] == ')' && !has_bracket))) {
    --end;
  }
  return end;
}

bool is_address_start(std::string_view text, std::size_t at) {
  return (at == 0 || !is_ascii_letter(text[at - 1])) && protocol_length(text.substr(at), false) > 0;
}

// The first address from `from` on that stands in no brackets: the letters before a "://" are its protocol.
std::size_t find_address(std::string_view text, std::size_t from) {
  for (std::size_t colon = text.find("://", from); colon != std::string_view::npos;
       colon = text.find("://", colon + 1)) {
    std::size_t begin = colon;
    while (begin > from && is_ascii_letter(text[begin - 1])) --begin;
    if (begin < colon && is_address_start(text, begin)) return begin;
  }
  return std::string_view::npos;
}

// The first `[` before an address.
std::size_t find_bracketed_address(std::string_view text, std::size_t from) {
  std::size_t at = text.find('[', from);
  while (at != std::string_view::npos && protocol_length(text.substr(at + 1), true) == 0) at = text.find('[', at + 1);
  return at;
}

// What a code point becomes: itself, a blank, or nothing.
std::uint32_t tidy_code(std::uint32_t code) {
  constexpr std::uint32_t kNothing = 0;
  if (code == kBreakMark || code == '\t' || code == '\n' || code == '\r') return ' ';
  if (code < ' ' && code != kRaiseMark && code != kEmptyMark && code != kLessMark && code != kHoleMark &&
      code != kGoneMark)
    return kNothing;
  if (code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A)) return ' ';
  if (code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x85) return ' ';
  if (code == 0xAD || code == 0x200B || code == 0x200E || code == 0x200F || code == 0xFEFF) return kNothing;
  if ((code >= 0x2060 && code <= 0x2064) || (code >= 0x202A && code <= 0x202E)) return kNothing;
  if ((code >= 0x2066 && code <= 0x206F) || (code >= 0xFFF9 && code <= 0xFFFC)) return kNothing;
  return code;
}

bool wants_sign(std::string_view before, std::string_view raised) {
  if (before.empty() || raised.empty() || !is_ascii_digit(before.back())) return false;
  if (is_ascii_digit(raised[0]) || raised[0] == '-' || raised[0] == '+') return true;
  if (raised.starts_with("−") || raised.starts_with("–")) return true;
  const bool is_variable = std::string_view("nxkmN").find(raised[0]) != std::string_view::npos;
  return is_variable && (raised.size() == 1 || !is_word_byte(raised[1]));
}

// The next byte that begins a character which tidy_code() may change, or one that is no UTF-8: a template cut it.
std::size_t find_untidy(std::string_view text, std::size_t from, bool is_valid) {
  if (!is_valid)
    return find_bytes(text, from, [](ByteBlock here, ByteBlock) {
      return here.at_most('\x1F') | (here == here).without(here.at_most('\x7F'));
    });
  return find_bytes(text, from, [](ByteBlock here, ByteBlock) {
    return here.at_most('\x1F') | (here == '\xC2') | (here == '\xE1') | (here == '\xE2') | (here == '\xEF');
  });
}

void normalise_characters(std::string& text) {
  const std::string_view all = text;
  const bool is_valid = !find_invalid_utf8(all);
  std::size_t at = find_untidy(all, 0, is_valid);
  if (at == std::string_view::npos) return;
  std::string out;
  out.reserve(all.size());
  out.append(all.substr(0, at));
  while (at < all.size()) {
    if (all[at] == kRaiseMark) {
      ++at;
      if (wants_sign(out, all.substr(at))) out.push_back('^');
    } else {
      const auto [raw, bytes] = unicode::code_point_at(all, at);
      at += bytes;
      const std::uint32_t code = tidy_code(raw);
      if (code != 0) unicode::append_utf8(code, out);
    }
    const std::size_t next = std::min(find_untidy(all, at, is_valid), all.size());
    out.append(all.substr(at, next - at));
    at = next;
  }
  text.swap(out);
}

constexpr std::size_t kLongestSwitch = 120;

// A language without a table of its own switches may use any word in capitals, or of letters beyond ASCII.
bool is_switch(std::string_view word, const LanguageTable* table) {
  const std::string name = normal_name(word);
  if (language_table("en").lists("switches", name) || (table != nullptr && table->lists("switches", name))) return true;
  const bool is_known_ascii = table != nullptr && table->has_list("switches") && is_ascii(word);
  return !is_known_ascii && std::all_of(word.begin(), word.end(), [](char byte) {
    return is_ascii_upper(byte) || !is_ascii(byte) || byte == '_';
  });
}

// `mark` stands before and behind the word.
void remove_switches_between(std::string_view mark, const LanguageTable* table, std::string& text) {
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    const std::size_t begin = at + mark.size();
    const std::size_t end = text.find(mark, begin);
    if (end == std::string::npos) return;
    const std::string_view word = std::string_view(text).substr(begin, end - begin);
    if (!word.empty() && word.size() < kLongestSwitch && is_switch(word, table)) {
      text.erase(at, end + mark.size() - at);
    } else {
      ++at;
    }
  }
}

// Whether there was any.
bool remove_addresses_once(std::string& text) {
  const std::string_view all = text;
  std::size_t address = find_address(all, 0);
  std::size_t bracket = find_bracketed_address(all, 0);
  if (address == bracket) return false;
  std::string out;
  std::size_t open_until = 0;  // up to here no `]` follows, as was found out
  std::size_t at = 0;
  while (address != bracket) {
    const std::size_t begin = std::min(address, bracket);
    out.append(all.substr(at, begin - at));
    if (begin == address) {
      at = std::max(bare_address_end(all, begin), begin + 1);
    } else {
      const std::size_t end = address_end(all, begin + 1);
      const std::size_t closing = end < open_until ? std::string_view::npos : closing_bracket(all, end);
      if (closing == std::string_view::npos) {
        if (end >= open_until) open_until = std::min(all.find('\n', end), all.size());
        at = end;
      } else {
        std::string label(trim(all.substr(end, closing - end)));
        replace_all(label, "[", "");
        replace_all(label, "]", "");
        if (protocol_length(label, false) == 0) out.append(label);
        at = closing + 1;
      }
    }
    if (address < at) address = find_address(all, at);
    if (bracket < at) bracket = find_bracketed_address(all, at);
  }
  text.swap(out.append(all.substr(at)));
  return true;
}

// Whether `before`, which ends with the opening bracket, names what may be called: f(), operator=(), f<T>(), f()(). A
// pair that lost its mark does not.
bool names_function(std::string_view before) {
  before.remove_suffix(1);
  if (before.empty() || before.ends_with("()") || before.ends_with("[]")) return false;
  const char last = before.back();
  return is_ascii_letter(last) || is_ascii_digit(last) ||
         std::string_view("_=>)]").find(last) != std::string_view::npos;
}

}  // namespace

void remove_addresses(std::string& text) {
  // A label may hold addresses of its own.
  while (remove_addresses_once(text)) {
  }
}

void remove_switches(std::string& text, const LanguageTable* table) {
  replace_all(text, "~~~~", "");
  for (const std::string_view mark : {"__", "＿＿"}) remove_switches_between(mark, table, text);
}

void remove_marks(std::string& text) {
  unescape_html(text);
  normalise_characters(text);
}

void settle_empty_brackets(std::string& text) {
  std::size_t kept = text.find(kEmptyMark);
  if (kept == std::string::npos) return;
  for (std::size_t at = kept; at < text.size(); ++at) {
    const std::string_view before = std::string_view(text).substr(0, kept);
    const char next = at + 1 < text.size() ? text[at + 1] : ' ';
    const bool is_pair = (before.ends_with('(') && next == ')') || (before.ends_with('[') && next == ']');
    const bool stays = text[at] != kEmptyMark || (is_pair && names_function(before));
    if (stays) text[kept++] = text[at];
  }
  text.resize(kept);
}

void restore_signs(std::string& text) {
  if (find_any<kEmptyMark, kLessMark>(text) == std::string_view::npos) return;
  std::erase(text, kEmptyMark);
  std::replace(text.begin(), text.end(), kLessMark, '<');
}

// Runs of two and more braces or brackets, and the corners of tables.
void remove_brackets(std::string& text) {
  const auto next_sign = [&](std::size_t from) {
    return std::min(find_any<'{', '}', '[', ']', '|'>(text, from), text.size());
  };
  if (find_any<'{', '}', '[', ']'>(text) == std::string_view::npos) return;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = next_sign(at);
    out.append(text, at, next - at);
    if (next == text.size()) break;
    const char byte = text[next];
    const std::size_t end = std::min(text.find_first_not_of(byte, next), text.size());
    at = next + 1;
    if (byte != '|' && end - next > 1) {
      at = end;
    } else if ((byte == '}' && out.ends_with('|')) || (byte == '|' && out.ends_with('{'))) {
      out.pop_back();  // the corner of a table
    } else if (byte == '|' || !out.ends_with(byte)) {
      out.push_back(byte);
    }
  }
  text.swap(out);
}

void remove_tags(std::string& text) {
  if (text.find('<') == std::string::npos) return;
  std::string out;
  Tag tag;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = std::min(text.find('<', at), text.size());
    out.append(text, at, next - at);
    if (next == text.size()) break;
    if (text.compare(next, 4, "<!--") == 0) {
      at = next + 4;
    } else if (read_tag(text, next, tag) && tag.kind != TagKind::kUnknown) {
      at = tag.end;
    } else if (starts_in_any_case(std::string_view(text).substr(next), "<ref") ||
               starts_in_any_case(std::string_view(text).substr(next), "</ref")) {
      at = next + 4;
    } else {
      out.push_back('<');
      at = next + 1;
    }
  }
  text.swap(out);
}

}  // namespace bertprep::clean
