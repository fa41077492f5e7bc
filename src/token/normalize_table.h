// NormalizeTable: what each character becomes in a word, looked up in one step. Made block by block as characters are
// met, by one thread: text in one script meets a few of some thousand.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "token/token_words.h"

namespace bertprep {

class NormalizeTable {
 public:
  // Letter: becomes part of the word, unchanged or replaced. Lone: a word by itself, unchanged or replaced. InContext:
  // its normalization depends on its neighbours, so the whole token is normalized at once.
  enum class Action : std::uint8_t { Drop, Space, Letter, Lone, Cjk, InContext };

  struct Entry {
    Action action = Action::Drop;
    bool is_replaced = false;
    std::uint8_t length = 0;   // bytes of the replacement; 0 for a mark that is dropped
    std::uint32_t offset = 0;  // of the replacement

    bool operator==(const Entry&) const = default;
  };

  static constexpr std::size_t kMaxReplacementBytes = 16;

  explicit NormalizeTable(Normalization normalization);

  // Valid until the next call.
  const Entry& operator[](char32_t c) {
    if (block_of_[c >> kBlockBits] == kNoBlock) add_block(c >> kBlockBits);
    return blocks_[block_of_[c >> kBlockBits]][c & (kBlockSize - 1)];
  }
  // kMaxReplacementBytes are readable from the start of any replacement.
  const char* replacement(const Entry& entry) const { return replacements_.data() + entry.offset; }

 private:
  static constexpr unsigned kBlockBits = 8;
  static constexpr std::size_t kBlockSize = std::size_t{1} << kBlockBits;
  using Block = std::array<Entry, kBlockSize>;

  static constexpr std::uint16_t kNoBlock = 0;

  void add_block(std::size_t number);
  Entry entry_for(char32_t c);
  Entry replaced(Action action, std::string_view text);

  Normalization normalization_;
  std::array<std::uint16_t, 0x110000 / kBlockSize> block_of_{};
  std::vector<Block> blocks_;
  std::string replacements_;
};

}  // namespace bertprep
