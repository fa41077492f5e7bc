// The special pieces that a text may spell out: a white-space token that is exactly one of them stays whole.
#pragma once

#include <optional>
#include <string_view>

#include "bertprep/token/vocab.h"

namespace bertprep {

inline constexpr std::string_view kSpecialPieces[] = {"[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]"};

inline bool is_special_piece(std::string_view token) {
  for (const std::string_view piece : kSpecialPieces) {
    if (token == piece) return true;
  }
  return false;
}

inline bool starts_with_special_piece(std::string_view text) {
  for (const std::string_view piece : kSpecialPieces) {
    if (text.starts_with(piece)) return true;
  }
  return false;
}

}  // namespace bertprep
