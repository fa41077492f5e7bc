// Character properties as Python 3.11 sees them (Unicode 14), from ICU.
//
// ICU may be newer than Unicode 14: a character assigned later counts as unassigned (category Cn), so that results do
// not depend on the installed ICU. All functions are thread-safe.
#pragma once

#include <vector>

#include "base/library_version.h"
#include "unicode/code_points.h"

namespace bertprep::unicode {

inline constexpr std::size_t kAllCodePoints = 0x110000;

// A property, as a function of a character: is_upper(c).
struct PropertyTest {
  std::uint16_t flag;

  bool operator()(char32_t c) const;
};
inline constexpr PropertyTest is_control{1 << 0};           // category C*, including unassigned and surrogates
inline constexpr PropertyTest is_punctuation{1 << 1};       // category P*, or one of ASCII 33-47 58-64 91-96 123-126
inline constexpr PropertyTest is_nonspacing_mark{1 << 2};   // category Mn
inline constexpr PropertyTest is_decimal_digit{1 << 3};     // category Nd
inline constexpr PropertyTest is_upper{1 << 4};             // derived property Uppercase
inline constexpr PropertyTest is_lower{1 << 5};             // derived property Lowercase
inline constexpr PropertyTest is_word_not_digit{1 << 6};    // [^\W\d] of Python's re: alnum or '_', but not Nd
inline constexpr PropertyTest changes_in_lower{1 << 7};     // lower() maps it to something else
inline constexpr PropertyTest decomposes{1 << 8};           // nfd() maps it to something else
inline constexpr PropertyTest has_combining_class{1 << 9};  // other than 0: nfd() may move it
bool is_cjk(char32_t c);                                    // the blocks that BERT puts blanks around

// Whether `first` to `last`, at most 256 code points that begin at a multiple of 256, agree in all the properties above
// except is_cjk.
bool are_alike(char32_t first, char32_t last);

bool is_of_unicode_14(char32_t c);
// The value of a decimal digit of any script, -1 for another character.
int decimal_digit(char32_t c);

// The property Script. Numbers are ICU's; names are Unicode's: "Latin", "Devanagari".
inline constexpr int kCommonScript = 0;
inline constexpr int kInheritedScript = 1;  // that of the letter before a mark
inline constexpr int kCyrillicScript = 8;
inline constexpr int kGreekScript = 14;
inline constexpr int kLatinScript = 25;
inline constexpr int kMaxScripts = 256;
bool is_letter_or_mark(char32_t c);  // categories L* and M*
// Of a letter or mark; kCommonScript for other characters. Below kMaxScripts.
int script_of(char32_t c);
const char* name_of_script(int script);

// str.isalnum() or '_': letters and numeric characters, but no marks. One bit per character, so that a scan stays in
// the processor's caches. Construction takes milliseconds; const calls are thread-safe.
class WordCharacters {
 public:
  WordCharacters();

  bool is_word(char32_t c) const { return c < kAllCodePoints && ((bits_[c / 64] >> (c % 64)) & 1) != 0; }

  // Whether the character at `index` is a word character; false at the end of the text.
  bool is_word_at(std::string_view text, std::size_t index) const {
    if (index >= text.size()) return false;
    const auto byte = static_cast<unsigned char>(text[index]);
    return byte < 0x80 ? is_word(byte) : is_word(code_point_at(text, index).value);
  }
  // The end of the run of word characters that begins at `from`.
  std::size_t skip_word(std::string_view text, std::size_t from) const;

 private:
  std::vector<std::uint64_t> bits_;
};

// Categories L*, N*; the property White_Space: which characters byte-level BPE counts as letters, numbers and white
// space. The pre-tokenizer is a regular expression, and its \p{L} and \p{N} are those of the library that runs it:
// Unicode 16 in HuggingFace's tokenizers 0.23. These are the same, whatever ICU is installed; the kind of a character
// never changes.
enum class LetterKind : std::uint8_t { kOther, kLetter, kNumber, kSpace };

// Two bits per character. Construction takes milliseconds; const calls are thread-safe.
class LetterKinds {
 public:
  LetterKinds();

  LetterKind operator[](char32_t c) const { return static_cast<LetterKind>(bits_[c / 4] >> (c % 4 * 2) & 3); }

 private:
  std::vector<std::uint8_t> bits_;
};

LibraryVersion version_of_icu();
// Throws Error "ICU can't ..." when `status`, a UErrorCode, is a failure.
void require_icu(int status, const char* what);

}  // namespace bertprep::unicode
