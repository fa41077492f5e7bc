#include "wiki/clean/inline.h"

#include <algorithm>

#include "unicode/byte_search.h"
#include "wiki/clean/language_table.h"
#include "wiki/clean/markup/chars.h"
#include "wiki/clean/markup/tags.h"

namespace bertprep::clean {
namespace {

std::size_t run_length(std::string_view line, std::size_t at) {
  const std::size_t end = line.find_first_not_of('\'', at);
  return (end == std::string_view::npos ? line.size() : end) - at;
}

// Apostrophes of a run that are text: all of one, one of four, those above five.
std::size_t text_of_run(std::size_t length) {
  if (length < 2) return length;
  if (length == 4) return 1;
  return length > 5 ? length - 5 : 0;
}

// What stands before a run of marks, up to the run before it.
enum class Before : std::uint8_t { kLetter, kWord, kBlank };

Before before_marks(std::string_view text) {
  if (text.ends_with(' ')) return Before::kBlank;
  const bool is_letter = text.size() > 1 && text[text.size() - 2] == ' ';
  return is_letter ? Before::kLetter : Before::kWord;
}

struct MarkCounts {
  std::size_t bold = 0;
  std::size_t italic = 0;
};

// Calls take(begin of the text before, begin of the run, length of its text) for each run.
template <typename Take>
MarkCounts count_marks(std::string_view line, const Take& take) {
  MarkCounts counts;
  std::size_t begin = 0;
  for (std::size_t at = line.find("''"); at != std::string_view::npos; at = line.find("''", begin)) {
    const std::size_t length = run_length(line, at);
    const std::size_t marks = length - text_of_run(length);
    counts.bold += marks != 2;
    counts.italic += marks != 3;
    if (marks == 3) take(begin, at, length - marks);
    begin = at + length;
  }
  return counts;
}

// Where an odd ''' hides an apostrophe: after a word of one letter, else after a longer word, else after a blank.
std::size_t find_hidden_apostrophe(std::string_view line) {
  std::array<std::size_t, 3> places{line.npos, line.npos, line.npos};
  const auto take = [&](std::size_t begin, std::size_t at, std::size_t text) {
    // The run's own apostrophes are text before its marks.
    std::size_t& place = places[static_cast<std::size_t>(before_marks(line.substr(begin, at + text - begin)))];
    if (place == line.npos) place = at;
  };
  const MarkCounts counts = count_marks(line, take);
  if (counts.bold % 2 == 0 || counts.italic % 2 == 0) return line.npos;
  return *std::min_element(places.begin(), places.end(),
                           [&](std::size_t a, std::size_t b) { return a != line.npos && b == line.npos; });
}

// The length of "http://" at the beginning of `text`; 0 when there is none.
std::size_t protocol_length(std::string_view text, bool in_brackets) {
  constexpr std::string_view kProtocols[] = {"http://",   "https://", "ftp://", "ftps://", "sftp://",
                                             "irc://",    "ircs://",  "git://", "ssh://",  "gopher://",
                                             "telnet://", "nntp://",  "svn://", "mms://",  "redis://"};
  constexpr std::string_view kInBrackets[] = {
      "//", "mailto:", "news:", "tel:", "geo:", "urn:", "magnet:", "sip:", "xmpp:"};
  const auto starts = [&](std::string_view protocol) { return starts_in_any_case(text, protocol); };
  if (const auto* found = std::ranges::find_if(kProtocols, starts); found != std::end(kProtocols)) return found->size();
  const auto* found = in_brackets ? std::ranges::find_if(kInBrackets, starts) : std::end(kInBrackets);
  return found == std::end(kInBrackets) ? 0 : found->size();
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
  return is_ascii_alphanumeric(last) || std::string_view("_=>)]").find(last) != std::string_view::npos;
}

constexpr std::size_t kLongestTitle = 90;
constexpr std::size_t kLongestKey = 20;

// "|key =": an argument whose template is gone.
bool begins_argument(std::string_view after_bar) {
  const std::string_view head = after_bar.substr(0, kLongestKey);
  const std::size_t sign = head.find('=');
  if (sign == std::string_view::npos) return false;
  const std::string_view key = trim(head.substr(0, sign));
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char byte) {
    return is_ascii_alphanumeric(byte) || byte == '_' || byte == '-' || byte == ' ';
  });
}

std::size_t argument_end(std::string_view text, std::size_t at) {
  const std::size_t end = std::min(text.find_first_of("|}", at), text.size());
  return end < text.size() && text[end] == '}' ? std::min(text.find_first_not_of('}', end), text.size()) : end;
}

// Where the title begins whose bar comes next in `out`: past a `[` of its own, which vanishes, or past the last
// punctuation when only the closing brackets are left.
std::size_t title_begin(const std::string& out, bool has_opening) {
  const std::size_t limit = out.size() > kLongestTitle ? out.size() - kLongestTitle : 0;
  if (has_opening) {
    const std::size_t found = out.find_last_of("[]");
    return found != std::string::npos && found >= limit && out[found] == '[' ? found : out.size();
  }
  const std::size_t found = out.find_last_of(".,;:([\"\n");
  if (found == std::string::npos) return limit == 0 ? 0 : out.size();
  return found >= limit ? std::min(out.find_first_not_of(' ', found + 1), out.size()) : out.size();
}

// "thumb", "300px", "left": how an image is set.
bool is_image_option(std::string_view piece) {
  constexpr std::string_view kOptions =
      "thumb thumbnail frame frameless left right center upright mini miniatur miniatura miniatyr vignette мини міні "
      "gauche droite links rechts destra sinistra border";
  const std::string name = normal_name(piece);
  if (has_word(kOptions, name)) return true;
  return name.size() > 2 && name.size() < 10 && name.ends_with("px") && is_ascii_digit(name[0]);
}

std::string_view next_piece(std::string_view text) {
  return text.substr(0, std::min<std::size_t>(text.find_first_of("|]\n"), kLongestKey));
}

// Takes the file's name from the end of `out`: back to a blank or a bracket.
void drop_file_name(std::string& out) {
  const std::size_t dot = out.rfind('.');
  if (dot == std::string::npos || out.size() - dot > 5 || out.find(' ', dot) != std::string::npos) return;
  const std::size_t before = out.find_last_of(" [\n");
  out.resize(before == std::string::npos ? 0 : before + 1);
}

}  // namespace

void append_without_quotes(std::string_view line, std::string& out) {
  std::size_t at = line.find("''");
  if (at == std::string_view::npos) {
    out.append(line);
    return;
  }
  const std::size_t hidden = find_hidden_apostrophe(line);
  std::size_t begin = 0;
  for (; at != std::string_view::npos; at = line.find("''", begin)) {
    out.append(line.substr(begin, at - begin));
    const std::size_t length = run_length(line, at);
    out.append(text_of_run(length) + (at == hidden ? 1 : 0), '\'');
    begin = at + length;
  }
  out.append(line.substr(begin));
}

bool closes_its_quotes(std::string_view text) {
  const MarkCounts counts = count_marks(text, [](std::size_t, std::size_t, std::size_t) {});
  return counts.bold % 2 == 0 && counts.italic % 2 == 0 && text.find('\n') == std::string_view::npos;
}

void remove_addresses(std::string& text) {
  // A label may hold addresses of its own.
  while (remove_addresses_once(text)) {
  }
}

void remove_bars(std::string& text) {
  if (text.find('|') == std::string::npos) return;
  const std::string_view all = text;
  std::string out;
  std::size_t closing = std::string_view::npos;  // a `]` to leave out
  for (std::size_t at = 0; at < all.size(); ++at) {
    if (at == closing) continue;
    if (all[at] != '|') {
      out.push_back(all[at]);
      continue;
    }
    const std::string_view rest = all.substr(at + 1);
    if (begins_argument(rest)) {
      at = argument_end(all, at + 1) - 1;
      continue;
    }
    const std::size_t piece_end = std::min(rest.substr(0, kLongestKey).find_first_of("|]\n"), rest.size());
    if (piece_end < rest.size() && piece_end < kLongestKey && is_image_option(rest.substr(0, piece_end))) {
      drop_file_name(out);
      at += piece_end + (rest[piece_end] == '|' && !is_image_option(next_piece(rest.substr(piece_end + 1))) ? 1 : 0);
      continue;
    }
    const std::string_view window = rest.substr(0, kLongestTitle);
    const std::size_t bracket = window.find_first_of("[]|");
    const bool has_closing = bracket != std::string_view::npos && window[bracket] == ']';
    if (has_closing) {
      const bool is_double = window.substr(bracket).starts_with("]]");
      std::size_t begin = title_begin(out, true);
      if (begin == out.size() && is_double) begin = title_begin(out, false);
      const bool is_link = begin < out.size();
      out.resize(begin);
      if (is_link && !is_double) closing = at + 1 + bracket;
      if (is_link) continue;
    }
    const bool is_stray = !rest.empty() && std::string_view(",.;").find(rest[0]) != std::string_view::npos;
    if (!is_stray) out.push_back('|');
  }
  text.swap(out);
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
