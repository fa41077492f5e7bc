// Mappings of texts as Python's str methods and unicodedata make them (Unicode 14), by ICU.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace bertprep::unicode {

// str.lower(): full mappings, with the final-sigma rule over the whole of `text`.
std::u32string lower(std::u32string_view text);
// The lower case of one character; itself if it has none.
char32_t lower(char32_t c);
// Canonical decomposition with canonical ordering (NFD).
std::u32string nfd(std::u32string_view text);

// `text` must be valid UTF-8. A character may map to several.
void append_lower(std::string_view text, std::string& out);
void append_upper(std::string_view text, std::string& out);
void append_lower_first(std::string_view text, std::string& out);
void append_upper_first(std::string_view text, std::string& out);

// Composition: canonical composition (NFC) as HuggingFace's tokenizers 0.23 make it, which is that of Unicode 9:
// characters assigned later are neither reordered nor composed. Text of older characters has the same NFC in every
// version.
class Composition {
 public:
  Composition();
  ~Composition();
  Composition(const Composition&) = delete;
  Composition& operator=(const Composition&) = delete;

  // Whether `text` (valid UTF-8) has no character from U+0300 on, and so is its own NFC. False decides nothing.
  static bool is_plain(std::string_view text);

  // Replaces `composed` by the NFC of `text` (valid UTF-8). Const calls are thread-safe. Throws Error if ICU fails.
  void compose(std::string_view text, std::string& composed) const;

 private:
  struct Tables;
  std::unique_ptr<const Tables> tables_;
};

}  // namespace bertprep::unicode
