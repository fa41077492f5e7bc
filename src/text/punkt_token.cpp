#include "text/punkt_token.h"

#include <algorithm>

#include "text/code_points.h"
#include "text/unicode.h"

namespace bertprep {
namespace {

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

char32_t first_character(std::string_view text) {
  const char* at = text.data();
  return next_code_point(at);
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
  const char32_t letter = next_code_point(at);
  return text_.substr(static_cast<std::size_t>(at - text_.data())) == "." && unicode::is_word_not_digit(letter);
}

bool PunktToken::starts_upper() const {
  const char32_t c = first_character(text_);
  return c < 0x80 ? c >= 'A' && c <= 'Z' : unicode::is_upper(c);
}

bool PunktToken::starts_lower() const {
  const char32_t c = first_character(text_);
  return c < 0x80 ? c >= 'a' && c <= 'z' : unicode::is_lower(c);
}

void PunktToken::lower() const {
  if (is_lowered_) return;
  is_lowered_ = true;
  if (is_ascii(text_)) {
    lowered_.resize(text_.size());
    std::transform(text_.begin(), text_.end(), lowered_.begin(), ascii_lower);
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
