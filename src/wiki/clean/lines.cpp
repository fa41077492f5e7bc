#include "wiki/clean/lines.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "unicode/byte_search.h"
#include "wiki/clean/chars.h"
#include "wiki/clean/inline.h"
#include "wiki/clean/links.h"

namespace bertprep::clean {
namespace {

// In place: what is kept is never longer than what was read.
class Tidier {
 public:
  Tidier(std::string& text, bool french) : text_(text), french_(french) {}

  void run() {
    while (at_ < text_.size()) {
      take();
      if (kept_ > 0 && last() == text_[at_ - 1]) keep_up_to(find_untidy());
    }
    drop_blanks();
    text_.resize(kept_);
  }

 private:
  void take() {
    const char byte = text_[at_];
    switch (byte) {
      case ' ':
        take_blank();
        break;
      case ',':
      case ';':
        take_separator();
        break;
      case '.':
        take_dot();
        break;
      case '(':
        keep(byte);
        at_ = past_separators(at_ + 1);
        return;
      case ')':
        take_closing();
        break;
      case ']':
        if (ends_with_open("[")) break;
        keep(byte);
        break;
      case '"':
        take_quote();
        break;
      case ':':
      case '!':
      case '?':
        take_mark();
        break;
      case kFirstOfArabicComma:
        if (take_arabic_separator()) return;
        keep(byte);
        break;
      case kFirstOfQuote:
      case kFirstOfGuillemet:
      case kFirstOfWideBracket:
        if (take_wide()) return;
        keep(byte);
        break;
      default:
        keep(byte);
    }
    ++at_;
  }

  // The next byte that take() may do more with than keep it, when the one before it was kept.
  std::size_t find_untidy() const {
    const auto is_untidy = [](ByteBlock here, ByteBlock next) {
      const ByteBlock blank = here == ' ';
      const ByteBlock opening = here == '(';
      const ByteBlock separator = (here == ',') | (here == ';');
      const ByteBlock wide = (here == here).without(here.at_most('\x7F'));
      const ByteBlock inner = blank | separator | (here == ':') | wide;
      return ((next == ' ') & (blank | opening)) | (((next == ',') | (next == ';')) & (blank | opening | separator)) |
             ((next == '.') & (blank | separator | (here == '.'))) |
             ((next == ')') & (inner | opening | (here == '/') | (here == '"') | (here == '\'') | (here == '-'))) |
             ((next == ']') & (blank | (here == '['))) | ((next == '"') & (here == '"')) |
             (((next == ':') | (next == '!') | (next == '?')) & blank) |
             (((next == kFirstOfQuote) | (next == kFirstOfGuillemet)) & inner) | (next == kFirstOfWideBracket) |
             (next == '(') |
             ((next == kFirstOfArabicComma) & (blank | opening | separator | (here == kLastOfArabicComma)));
    };
    const std::size_t before = find_bytes(text_, at_ - 1, is_untidy);
    return before == std::string_view::npos ? text_.size() : before + 1;
  }

  void keep_up_to(std::size_t end) {
    if (kept_ != at_) std::memmove(text_.data() + kept_, text_.data() + at_, end - at_);
    kept_ += end - at_;
    at_ = end;
  }

  // The first bytes of the signs that take_wide() knows.
  static constexpr char kFirstOfQuote = '\xE2';
  static constexpr char kFirstOfGuillemet = '\xC2';
  static constexpr char kFirstOfWideBracket = '\xEF';
  static constexpr char kFirstOfArabicComma = '\xD8';
  static constexpr char kLastOfArabicComma = '\x8C';

  char next(std::size_t ahead = 1) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : ' '; }
  bool is_last() const { return at_ + 1 >= text_.size(); }

  std::string_view kept() const { return std::string_view(text_).substr(0, kept_); }
  char last() const { return kept_ > 0 ? text_[kept_ - 1] : '\0'; }
  void keep(char byte) { text_[kept_++] = byte; }

  void drop_blanks() {
    while (last() == ' ') --kept_;
  }

  void take_blank() {
    if (kept_ > 0 && last() != ' ' && last() != '(') keep(' ');
  }

  // Behind the separators from `at` on: nothing stands between them and an opening bracket.
  std::size_t past_separators(std::size_t at) const {
    while (const std::size_t bytes = separator_length(std::string_view(text_).substr(std::min(at, text_.size()))))
      at += bytes;
    return at;
  }

  static std::size_t separator_length(std::string_view text) {
    for (const std::string_view sign : {" ", ",", ";", "،", "؛", "、", "，", "；"}) {
      if (text.starts_with(sign)) return sign.size();
    }
    return 0;
  }

  // True: taken.
  bool take_arabic_separator() {
    const std::string_view rest = std::string_view(text_).substr(at_, 2);
    if (rest != "،" && rest != "؛") return false;
    drop_blanks();
    const bool is_doubled =
        kept_ == 0 || last() == '(' || last() == ',' || last() == ';' || kept().ends_with("،") || kept().ends_with("؛");
    at_ += rest.size();
    if (is_doubled) return true;
    for (std::size_t i = 2; i > 0; --i) keep(text_[at_ - i]);
    return true;
  }

  void take_separator() {
    drop_blanks();
    if (kept_ == 0 || last() == '(' || last() == ',' || last() == ';') return;
    keep(text_[at_]);
  }

  // ". . ." and "....." become "...", "Sr.." becomes "Sr."; ".NET" and ".5" keep their blank.
  void take_dot() {
    const bool after_blank = last() == ' ';
    if (after_blank && is_word_byte(next())) return keep('.');
    drop_blanks();
    if (last() == ',' || last() == ';') --kept_;
    const bool is_ellipsis = kept().ends_with("..") || next() == '.' || (next() == ' ' && next(2) == '.');
    const bool is_doubled =
        last() == '.' && !is_ellipsis && (after_blank || next() == ' ') && kept_ > 1 && text_[kept_ - 2] != '(';
    if (!is_doubled && !kept().ends_with("...")) keep('.');
  }

  // Whether what follows `opening` at the end of what is kept is blank; then it goes, `opening` too.
  bool ends_with_open(std::string_view opening) {
    std::string_view rest = kept();
    while (rest.ends_with(' ')) rest.remove_suffix(1);
    if (!rest.ends_with(opening)) return false;
    kept_ = rest.size() - opening.size();
    return true;
  }

  static bool drop_sign(std::string_view& rest) {
    for (const std::string_view sign :
         {" ", ",", ";", ":", "/", "\"", "'", "-", "–", "—", "“", "”", "‘", "’", "·", "،", "؛"}) {
      if (rest.ends_with(sign)) {
        rest.remove_suffix(sign.size());
        return true;
      }
    }
    return false;
  }

  // A lone dash in brackets stays: (-)-menthol.
  static bool is_lone_dash(std::string_view inside) { return inside == "-" || inside == "–" || inside == "—"; }

  void take_closing() {
    std::string_view rest = kept();
    while (drop_sign(rest)) {
    }
    if (rest.ends_with('(') && !is_lone_dash(kept().substr(rest.size()))) {
      kept_ = rest.size() - 1;
      return;
    }
    while (last() == ' ' || last() == ',' || last() == ';' || kept().ends_with("،") || kept().ends_with("؛"))
      kept_ -= is_ascii(last()) ? 1 : 2;
    keep(')');
  }

  void take_quote() {
    if (last() != '"') return keep('"');
    const bool is_empty_pair = kept_ == 1 || text_[kept_ - 2] == ' ' || text_[kept_ - 2] == '(';
    if (is_empty_pair) --kept_;
  }

  void take_mark() {
    const bool ends_word = kept_ > 1 && last() == ' ' && (is_word_byte(text_[kept_ - 2]) || text_[kept_ - 2] == ')');
    if (!french_ && ends_word && (next() == ' ' || is_last())) drop_blanks();
    keep(text_[at_]);
  }

  // Closing quotes and brackets beyond ASCII. True: taken.
  bool take_wide() {
    const std::string_view rest = std::string_view(text_).substr(at_);
    for (const auto& [opening, closing] : {std::pair<std::string_view, std::string_view>("“", "”"),
                                           std::pair<std::string_view, std::string_view>("«", "»"),
                                           std::pair<std::string_view, std::string_view>("„", "“")}) {
      if (rest.starts_with(closing) && ends_with_open(opening)) {
        at_ += closing.size();
        return true;
      }
    }
    constexpr std::string_view kOpening = "（";
    if (rest.starts_with(kOpening)) {
      for (const char byte : kOpening) keep(byte);
      at_ = past_separators(at_ + kOpening.size());
      return true;
    }
    constexpr std::string_view kClosing = "）";
    if (!rest.starts_with(kClosing)) return false;
    std::string_view before = kept();
    bool dropped = true;
    while (dropped) {
      dropped = false;
      for (const std::string_view sign : {" ", "、", "，", "；", "：", ",", ";", ":"}) {
        if (!before.ends_with(sign)) continue;
        before.remove_suffix(sign.size());
        dropped = true;
      }
    }
    if (!before.ends_with("（")) return false;
    kept_ = before.size() - 3;
    at_ += kClosing.size();
    return true;
  }

  std::string& text_;
  bool french_;
  std::size_t kept_ = 0;  // bytes at the beginning of `text_`
  std::size_t at_ = 0;    // what was read
};

}  // namespace

void tidy(std::string& text, bool french) {
  Tidier(text, french).run();
}

namespace {

constexpr int kMostRounds = 8;
constexpr std::size_t kShortestIndentedProse = 60;
constexpr std::size_t kShortestIndentedParagraph = 100;

bool is_item(char first) {
  return first == '*' || first == '#' || first == ':' || first == ';';
}

// Rows of a table whose beginning was lost.
bool is_row(std::string_view line) {
  if (line.starts_with('|') || line.starts_with("{|")) return true;
  return line.starts_with('!') && line.find_first_of("|!", 1) != std::string_view::npos;
}

// A line that begins with a blank is preformatted: code, or a sentence whose writer did not mean it.
bool is_indented_prose(std::string_view line) {
  const std::string_view text = trim(line);
  if (text.size() < kShortestIndentedProse || text.find("   ") != std::string_view::npos) return false;
  const auto words =
      std::count_if(text.begin(), text.end(), [](char byte) { return is_word_byte(byte) || byte == ' '; });
  return static_cast<std::size_t>(words) * 10 > text.size() * 9;
}

// ":" before whole sentences sets a quotation; before a few words, a formula or a remark in italics.
bool is_indented_paragraph(std::string_view line) {
  const std::size_t begin = std::min(line.find_first_not_of(": "), line.size());
  const std::string_view text = line.substr(begin);
  if (begin == 0 || text.size() < kShortestIndentedParagraph || is_item(text.front()) || is_row(text)) return false;
  const std::size_t end = text.find_last_not_of("'\"”»)");
  const bool is_remark = text.starts_with("''") && !text.starts_with("'''") && text.ends_with("''");
  return !is_remark && end != std::string_view::npos &&
         std::string_view(".!?").find(text[end]) != std::string_view::npos;
}

bool is_punctuation(std::uint32_t code) {
  if (code < 0x80) return !is_ascii_letter(static_cast<char>(code)) && !is_ascii_digit(static_cast<char>(code));
  return (code >= 0xA0 && code <= 0xBF) || (code >= 0x2000 && code <= 0x206F) || (code >= 0x2190 && code <= 0x2BFF) ||
         (code >= 0x3000 && code <= 0x303F) || code == 0xD7 || code == 0xF7;
}

bool has_words(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, bytes] = unicode::code_point_at(text, at);
    if (!is_punctuation(code)) return true;
    at += bytes;
  }
  return false;
}

// Chinese and Japanese lines are joined without a blank.
bool is_wide_byte(char byte) {
  return static_cast<unsigned char>(byte) >= 0xE3;
}

bool joins_without_blank(std::string_view before, std::string_view after) {
  if (before.size() < 3 || after.empty()) return false;
  const auto lead = static_cast<unsigned char>(before[before.size() - 3]);
  return lead >= 0xE3 && lead <= 0xE9 && is_wide_byte(after.front()) && static_cast<unsigned char>(after[0]) <= 0xE9;
}

}  // namespace

void LineWriter::write(std::string_view text, const LineRules& rules, std::string& lines) {
  rules_ = rules;
  lines_ = &lines;
  paragraph_.clear();
  headings_.clear();
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(find_any<'\n', kBlockMark>(text, begin), text.size());
    take_line(text.substr(begin, end - begin));
    if (end < text.size() && text[end] == kBlockMark) finish_paragraph();
    begin = end + 1;
  }
  finish_paragraph();
}

void LineWriter::take_line(std::string_view line) {
  const std::string_view bare = trim(line);
  if (bare.empty() || is_row(bare)) {
    finish_paragraph();
  } else if (bare.size() > 2 && bare.front() == '=' && bare.back() == '=') {
    take_heading(bare);
  } else if (is_item(bare.front())) {
    take_item(bare);
  } else if (bare.starts_with("----")) {
    finish_paragraph();
    take_prose(trim(bare.substr(std::min(bare.find_first_not_of('-'), bare.size()))));
  } else if (is_file_line(bare)) {
    finish_paragraph();
  } else if (!is_blank(line.front())) {
    take_prose(bare);
  } else if (is_indented_prose(line)) {
    finish_paragraph();
    take_prose(bare);
    finish_paragraph();
  }
}

void LineWriter::take_heading(std::string_view line) {
  finish_paragraph();
  std::size_t level = 0;
  while (level < 6 && line.size() > 2 && line.front() == '=' && line.back() == '=') {
    line.remove_prefix(1);
    line.remove_suffix(1);
    ++level;
  }
  while (!headings_.empty() && headings_.back().level >= level) headings_.pop_back();
  if (rules_.headings) headings_.push_back({level, std::string(trim(line))});
}

void LineWriter::take_item(std::string_view line) {
  finish_paragraph();
  if (!rules_.lists && !is_indented_paragraph(line)) return;
  line = trim(line.substr(std::min(line.find_first_not_of("*#:; \t"), line.size())));
  if (!is_row(line)) take_prose(line);
  finish_paragraph();
}

void LineWriter::take_prose(std::string_view line) {
  if (!paragraph_.empty() && !joins_without_blank(paragraph_, line)) paragraph_.push_back(' ');
  append_without_quotes(line, paragraph_);
}

void LineWriter::finish_paragraph() {
  if (paragraph_.empty()) return;
  clean(paragraph_);
  if (has_words(paragraph_)) {
    for (const Heading& heading : headings_) emit_heading(heading.text);
    headings_.clear();
    lines_->append(paragraph_).push_back('\n');
  }
  paragraph_.clear();
}

void LineWriter::emit_heading(std::string_view source) {
  std::string text;
  append_without_quotes(source, text);
  clean(text);
  if (has_words(text)) lines_->append(text).push_back('\n');
}

void LineWriter::clean(std::string& text) const {
  remove_addresses(text);
  remove_switches(text, rules_.table);
  remove_bars(text);
  remove_marks(text);
  // Brackets and tags that come together when something between them goes are taken away in the next round.
  for (int round = 0; round < kMostRounds; ++round) {
    const std::size_t before = text.size();
    remove_tags(text);
    remove_brackets(text);
    tidy(text, rules_.french);
    if (text.size() == before) break;
  }
}

}  // namespace bertprep::clean
