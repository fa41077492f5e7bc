#include "wiki/clean/markup/tidy.h"

#include <algorithm>
#include <cstring>

#include "unicode/byte_search.h"
#include "wiki/clean/markup/chars.h"

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
      case kFirstOfWideStop:
        if (take_wide_separator() || take_wide()) return;
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
             ((next == kFirstOfWideStop) & (blank | opening | separator | (here == '\x81') | (here == '\x8C') |
                                            (here == '\x9A') | (here == '\x9B') | (here == '\x88'))) |
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
  static constexpr char kFirstOfWideStop = '\xE3';
  static constexpr char kFirstOfArabicComma = '\xD8';
  static constexpr char kLastOfArabicComma = '\x8C';

  char next(std::size_t ahead = 1) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : ' '; }
  bool is_last() const { return at_ + 1 >= text_.size(); }

  std::string_view kept() const { return std::string_view(text_).substr(0, kept_); }
  char last() const { return kept_ > 0 ? text_[kept_ - 1] : '\0'; }
  void keep(char byte) { text_[kept_++] = byte; }
  // The last `bytes` that were read.
  void keep_read(std::size_t bytes) {
    for (; bytes > 0; --bytes) keep(text_[at_ - bytes]);
  }

  void drop_blanks() {
    while (last() == ' ') --kept_;
  }

  void take_blank() {
    if (kept_ > 0 && last() != ' ' && last() != '(') keep(' ');
  }

  // Behind the separators from `at` on: nothing stands between them and an opening bracket.
  std::size_t past_separators(std::size_t at) const {
    while (const std::size_t bytes = length_at_begin(std::string_view(text_).substr(std::min(at, text_.size())),
                                                     {" ", ",", ";", "،", "؛", "、", "，", "；"}))
      at += bytes;
    return at;
  }

  // True: taken.
  bool take_arabic_separator() {
    const std::string_view rest = std::string_view(text_).substr(at_, 2);
    if (rest != "،" && rest != "؛") return false;
    drop_blanks();
    const bool is_doubled =
        kept_ == 0 || last() == '(' || last() == ',' || last() == ';' || kept().ends_with("،") || kept().ends_with("؛");
    at_ += rest.size();
    if (!is_doubled) keep_read(rest.size());
    return true;
  }

  // 、，；： behind another separator or an opening bracket go, as separators before 。 do. True: taken.
  bool take_wide_separator() {
    const std::string_view rest = std::string_view(text_).substr(at_, 3);
    const bool is_stop = rest == "。";
    if (!is_stop && rest != "、" && rest != "，" && rest != "；" && rest != "：") return false;
    drop_blanks();
    std::size_t doubled = trailing_separator();
    at_ += rest.size();
    if (!is_stop && (doubled != 0 || kept_ == 0 || last() == '(' || kept().ends_with("（"))) return true;
    for (; doubled != 0; doubled = trailing_separator()) kept_ -= doubled;
    keep_read(rest.size());
    return true;
  }

  // The length of a comma, semicolon or wide colon at the end of what is kept.
  std::size_t trailing_separator() const { return length_at_end(kept(), {",", ";", "、", "，", "；", "："}); }

  void take_separator() {
    // In French a blank stands before a semicolon.
    const bool after_blank =
        kept_ > 1 && last() == ' ' && std::string_view("(,; ").find(text_[kept_ - 2]) == std::string_view::npos;
    if (french_ && after_blank && text_[at_] == ';' && next() == ' ') return keep(';');
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

  // A lone dash in brackets stays: (-)-menthol.
  static bool is_lone_dash(std::string_view inside) { return inside == "-" || inside == "–" || inside == "—"; }

  void take_closing() {
    std::string_view rest = kept();
    while (const std::size_t bytes = length_at_end(
               rest, {" ", ",", ";", ":", "/", "\"", "'", "-", "–", "—", "“", "”", "‘", "’", "·", "،", "؛"}))
      rest.remove_suffix(bytes);
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
    while (const std::size_t bytes = length_at_end(before, {" ", "、", "，", "；", "：", ",", ";", ":"}))
      before.remove_suffix(bytes);
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

}  // namespace bertprep::clean
