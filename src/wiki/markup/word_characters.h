// Characters of a text as Python 3.11 sorts them (Unicode 14): words, white space, digits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bertprep {

// A character and the bytes it takes. A byte that is no UTF-8 counts as a character U+FFFD of its own.
struct CodePoint {
  char32_t value;
  std::size_t bytes;
};
// At `index` < text.size().
CodePoint code_point_at(std::string_view text, std::size_t index);
// The character that ends at `end` > 0.
CodePoint code_point_before(std::string_view text, std::size_t end);
void append_code_point(char32_t c, std::string& out);

// str.isspace().
bool is_space(char32_t c);
// The first position from `from` on that is not white space; text.size() when there is none.
std::size_t skip_any_spaces(std::string_view text, std::size_t from);
inline std::size_t skip_spaces(std::string_view text, std::size_t from) {
  const bool is_there = from < text.size() && text[from] > ' ';
  return is_there ? from : skip_any_spaces(text, from);
}

// The value of a decimal digit of any script, -1 for another character.
int decimal_digit(char32_t c);

// str.isalnum() or '_': letters and everything numeric, but no marks. Making one takes milliseconds; const calls may
// be made from several threads.
class WordCharacters {
 public:
  WordCharacters();

  bool is_word(char32_t c) const { return c < kLimit && ((bits_[c / 64] >> (c % 64)) & 1) != 0; }

  // Whether the character at `index` is a word character; false at the end of the text.
  bool is_word_at(std::string_view text, std::size_t index) const {
    if (index >= text.size()) return false;
    const auto byte = static_cast<unsigned char>(text[index]);
    return byte < 0x80 ? is_word(byte) : is_word(code_point_at(text, index).value);
  }
  // The end of the run of word characters that begins at `from`.
  std::size_t skip_word(std::string_view text, std::size_t from) const;

 private:
  static constexpr std::size_t kLimit = 0x110000;

  std::vector<std::uint64_t> bits_;
};

}  // namespace bertprep
