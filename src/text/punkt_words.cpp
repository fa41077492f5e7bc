#include "text/punkt_words.h"

#include <algorithm>

#include "unicode/ascii.h"
#include "unicode/code_points.h"
#include "unicode/properties/mappings.h"
#include "unicode/properties/properties.h"

namespace bertprep {
namespace {

using punkt::is_a;
using unicode::space_bytes;

std::size_t run_bytes(std::string_view text, std::size_t at, char c) {
  return std::min(text.find_first_not_of(c, at), text.size()) - at;
}

// ". . ." and longer: the bytes from the first dot to the last, or 0. The reference finds words line by line, so LF is
// not a space here.
std::size_t spaced_dots_bytes(std::string_view text, std::size_t at) {
  std::size_t end = at;
  std::size_t dots = 0;
  for (std::size_t i = at; i < text.size() && text[i] == '.';) {
    ++dots;
    end = ++i;
    if (i == text.size() || text[i] == '\n') break;
    const std::size_t space = space_bytes(text, i);
    if (space == 0) break;
    i += space;
  }
  return dots >= 3 ? end - at : 0;
}

// Length of the multi-character punctuation that starts at text[at], or 0.
std::size_t multi_punctuation_bytes(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c != '-' && c != '.') return 0;
  const std::size_t run = run_bytes(text, at, c);
  if (run >= 2) return run;
  return c == '.' ? spaced_dots_bytes(text, at) : 0;
}

bool ends_word(std::string_view text, std::size_t at) {
  return at >= text.size() || is_a(punkt::kNonWord, text[at]) || space_bytes(text, at) != 0 ||
         multi_punctuation_bytes(text, at) != 0;
}

std::size_t word_end(std::string_view text, std::size_t at) {
  do {
    ++at;
  } while (!ends_word(text, at) && !(text[at] == ',' && ends_word(text, at + 1)));
  return at;
}

std::size_t token_end(std::string_view text, std::size_t at) {
  if (const std::size_t bytes = multi_punctuation_bytes(text, at)) return at + bytes;
  return is_a(punkt::kNoWordStart, text[at]) ? at + 1 : word_end(text, at);
}

char32_t first_character(std::string_view text) {
  const char* at = text.data();
  return unicode::next_code_point(at);
}

bool is_digit(char32_t c) {
  return c < 0x80 ? c >= '0' && c <= '9' : unicode::is_decimal_digit(c);
}

// ^-?[.,]?\d[\d,.-]*\.?$
template <class Text>
bool is_number(const Text& text) {
  auto at = text.begin();
  if (at != text.end() && *at == '-') ++at;
  if (at != text.end() && (*at == '.' || *at == ',')) ++at;
  if (at == text.end() || !is_digit(static_cast<char32_t>(*at))) return false;
  return std::all_of(at, text.end(),
                     [](auto c) { return c == ',' || c == '.' || c == '-' || is_digit(static_cast<char32_t>(c)); });
}

}  // namespace

bool PunktWords::next(std::string_view& word) {
  const std::size_t begin = unicode::skip_spaces(text_, at_);
  if (begin == text_.size()) return false;
  at_ = token_end(text_, begin);
  word = text_.substr(begin, at_ - begin);
  return true;
}

void PunktToken::assign(std::string_view text) {
  text_ = text;
  sentence_break = abbreviation = false;
  is_lowered_ = is_number_ = false;
}

bool PunktToken::is_ellipsis() const {
  return text_.size() >= 2 && text_.find_first_not_of('.') == std::string_view::npos;
}

bool PunktToken::is_initial() const {
  const char* at = text_.data();
  const char32_t letter = unicode::next_code_point(at);
  return text_.substr(static_cast<std::size_t>(at - text_.data())) == "." && unicode::is_word_not_digit(letter);
}

bool PunktToken::starts_upper() const {
  return unicode::is_upper(first_character(text_));
}

bool PunktToken::starts_lower() const {
  return unicode::is_lower(first_character(text_));
}

void PunktToken::lower() const {
  if (is_lowered_) return;
  is_lowered_ = true;
  if (is_ascii(text_)) {
    lowered_.resize(text_.size());
    std::transform(text_.begin(), text_.end(), lowered_.begin(), [](char c) { return ascii_lower(c); });
    is_number_ = is_number(lowered_);
  } else {
    const std::u32string characters = unicode::lower(unicode::decode(text_));
    lowered_ = unicode::encode(characters);
    is_number_ = is_number(characters);
  }
}

std::string_view PunktToken::lowered() const {
  lower();
  return lowered_;
}

std::string_view PunktToken::type() const {
  lower();
  return is_number_ ? std::string_view("##number##") : std::string_view(lowered_);
}

std::string_view PunktToken::type_without_period() const {
  std::string_view word = type();
  if (word.size() > 1 && word.back() == '.') word.remove_suffix(1);
  return word;
}

}  // namespace bertprep
