// Composition: canonical composition (NFC) as HuggingFace's tokenizers 0.23 make it, which is that of Unicode 9:
// characters assigned later are neither reordered nor composed. Text of older characters has the same NFC in every
// version.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace bertprep::unicode {

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
