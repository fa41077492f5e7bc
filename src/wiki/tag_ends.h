// Searches that tags share: where a name ends, and the next of some character without looking at a byte twice.
#pragma once

#include <cstddef>
#include <string_view>

#include "wiki/word_characters.h"

namespace bertprep {

// The end of the letters and digits of ASCII that begin at `from`: a tag's name.
inline std::size_t end_of_tag_name(std::string_view text, std::size_t from) {
  const auto is_of_name = [](char c) {
    const auto small = static_cast<unsigned char>(c | 0x20);
    return (small >= 'a' && small <= 'z') || (c >= '0' && c <= '9');
  };
  while (from < text.size() && is_of_name(text[from])) ++from;
  return from;
}

// The first position from `from` on that `find` gives, remembered: asked with growing positions, it looks at every byte
// once however often it is asked.
template <typename Find>
class NextPlace {
 public:
  explicit NextPlace(Find find) : find_(find) {}

  // npos when there is none.
  std::size_t at_or_after(std::size_t from) {
    if (!is_known_ || place_ < from) place_ = find_(from);
    is_known_ = true;
    return place_;
  }

 private:
  Find find_;
  std::size_t place_ = 0;
  bool is_known_ = false;
};

}  // namespace bertprep
