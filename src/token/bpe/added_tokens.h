// AddedTokens: finds added tokens in a text.
#pragma once

#include <bitset>
#include <cstddef>
#include <string_view>
#include <vector>

#include "token/bpe/byte_pair_model.h"

namespace bertprep {

class AddedTokens {
 public:
  AddedTokens() = default;
  // The tokens must differ in content, and none may be empty.
  explicit AddedTokens(std::vector<AddedToken> tokens);

  bool empty() const { return tokens_.empty(); }

  struct Place {
    std::size_t begin = 0;
    const AddedToken* token = nullptr;  // null: not found
  };
  // The leftmost token at or after `from`, the longest if several begin there.
  Place find(std::string_view text, std::size_t from) const;

 private:
  const AddedToken* longest_at(std::string_view text, std::size_t at) const;
  static std::size_t pair_of(char first, char second) {
    return static_cast<std::size_t>(static_cast<unsigned char>(first)) << 8 | static_cast<unsigned char>(second);
  }

  std::vector<AddedToken> tokens_;   // by first byte, then longest first
  std::bitset<0x10000> beginnings_;  // the pairs of bytes that a token may begin with
};

}  // namespace bertprep
