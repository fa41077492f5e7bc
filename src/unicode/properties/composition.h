// Composition: canonical composition (NFC) as HuggingFace's tokenizers 0.23 make it, which is that of Unicode 9: what
// was assigned later neither moves nor joins other characters. Text of older characters has the same NFC in every
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

  // Whether `text` (valid UTF-8) is sure to be its own NFC: it has no character from U+0300 on. False decides nothing.
  static bool is_plain(std::string_view text);

  // Replaces `composed` by the NFC of `text` (valid UTF-8). Const calls may be made from several threads. Throws Error
  // where ICU fails.
  void compose(std::string_view text, std::string& composed) const;

 private:
  struct Tables;
  std::unique_ptr<const Tables> tables_;
};

}  // namespace bertprep::unicode
