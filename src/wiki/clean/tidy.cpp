#include "wiki/clean/tidy.h"

#include "wiki/clean/chars.h"

namespace bertprep::clean {
namespace {

class Tidier {
 public:
  Tidier(std::string_view text, bool french) : text_(text), french_(french) { out_.reserve(text.size()); }

  std::string run() {
    while (at_ < text_.size()) take();
    drop_blanks();
    return std::move(out_);
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
      case ')':
        take_closing();
        break;
      case ']':
        if (ends_with_open("[")) break;
        out_.push_back(byte);
        break;
      case '"':
        take_quote();
        break;
      case ':':
      case '!':
      case '?':
        take_mark();
        break;
      default:
        if ((byte & 0x80) != 0 && take_wide()) return;
        out_.push_back(byte);
    }
    ++at_;
  }

  char next(std::size_t ahead = 1) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : ' '; }
  bool is_last() const { return at_ + 1 >= text_.size(); }

  void drop_blanks() {
    while (out_.ends_with(' ')) out_.pop_back();
  }

  void take_blank() {
    if (!out_.empty() && !out_.ends_with(' ') && !out_.ends_with('(')) out_.push_back(' ');
  }

  void take_separator() {
    drop_blanks();
    if (out_.empty() || out_.ends_with('(') || out_.ends_with(',') || out_.ends_with(';')) return;
    out_.push_back(text_[at_]);
  }

  // ". . ." and "....." become "...", "Sr.." becomes "Sr."; ".NET" and ".5" keep their blank.
  void take_dot() {
    const bool after_blank = out_.ends_with(' ');
    if (after_blank && is_word_byte(next())) {
      out_.push_back('.');
      return;
    }
    drop_blanks();
    if (out_.ends_with(',') || out_.ends_with(';')) out_.pop_back();
    const bool is_ellipsis = out_.ends_with("..") || next() == '.' || (next() == ' ' && next(2) == '.');
    const bool is_doubled = out_.ends_with('.') && !is_ellipsis && (after_blank || next() == ' ') && out_.size() > 1 &&
                            out_[out_.size() - 2] != '(';
    if (!is_doubled && !out_.ends_with("...")) out_.push_back('.');
  }

  // Whether what follows `opening` at the end of `out_` is blank; then it goes, `opening` too.
  bool ends_with_open(std::string_view opening) {
    std::string_view rest = out_;
    while (rest.ends_with(' ')) rest.remove_suffix(1);
    if (!rest.ends_with(opening)) return false;
    out_.resize(rest.size() - opening.size());
    return true;
  }

  static bool drop_sign(std::string_view& rest) {
    for (const std::string_view sign : {" ", ",", ";", ":", "/", "\"", "'", "-", "–", "—", "“", "”", "‘", "’", "·"}) {
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
    std::string_view rest = out_;
    while (drop_sign(rest)) {
    }
    if (rest.ends_with('(') && !is_lone_dash(std::string_view(out_).substr(rest.size()))) {
      out_.resize(rest.size() - 1);
      return;
    }
    while (out_.ends_with(' ') || out_.ends_with(',') || out_.ends_with(';')) out_.pop_back();
    out_.push_back(')');
  }

  void take_quote() {
    if (!out_.ends_with('"')) {
      out_.push_back('"');
      return;
    }
    const bool is_empty_pair = out_.size() == 1 || out_[out_.size() - 2] == ' ' || out_[out_.size() - 2] == '(';
    if (is_empty_pair) out_.pop_back();
  }

  void take_mark() {
    const bool ends_word =
        out_.size() > 1 && out_.ends_with(' ') && (is_word_byte(out_[out_.size() - 2]) || out_[out_.size() - 2] == ')');
    if (!french_ && ends_word && (next() == ' ' || is_last())) drop_blanks();
    out_.push_back(text_[at_]);
  }

  // Closing quotes and brackets beyond ASCII. True: taken.
  bool take_wide() {
    const std::string_view rest = text_.substr(at_);
    for (const auto& [opening, closing] : {std::pair<std::string_view, std::string_view>("“", "”"),
                                           std::pair<std::string_view, std::string_view>("«", "»"),
                                           std::pair<std::string_view, std::string_view>("„", "“")}) {
      if (rest.starts_with(closing) && ends_with_open(opening)) {
        at_ += closing.size();
        return true;
      }
    }
    constexpr std::string_view kClosing = "）";
    if (!rest.starts_with(kClosing)) return false;
    std::string_view before = out_;
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
    out_.resize(before.size() - 3);
    at_ += kClosing.size();
    return true;
  }

  std::string_view text_;
  bool french_;
  std::string out_;
  std::size_t at_ = 0;
};

}  // namespace

std::string tidied(std::string_view text, bool french) {
  return Tidier(text, french).run();
}

}  // namespace bertprep::clean
