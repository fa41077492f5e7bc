// PieceTrie: greedy longest-match over the vocabulary, as a double-array trie (Aoe 1989) over bytes.
//
// Two tries share the array: pieces that start a word, and pieces that continue one, without their "##".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "bertprep/token/vocab.h"

namespace bertprep {

class PieceTrie {
 public:
  explicit PieceTrie(const Vocab& vocab);

  // Writes the ids of `word` (valid UTF-8, not empty) to `out`, which must have room for one id per code point; returns
  // the end. A word that the pieces can't spell becomes one [UNK].
  TokenId* encode(std::string_view word, TokenId* out) const;

 private:
  static constexpr std::int32_t kFree = -1, kNoParent = -2;
  static constexpr TokenId kNoPiece = -1;
  static constexpr std::int32_t kWordStart = 0, kContinuation = 1;  // the roots

  struct Node {
    std::int32_t first_child = 0;  // the child for byte b is at first_child + b ...
    std::int32_t parent = kFree;   // ... if it names this node as its parent
    TokenId piece = kNoPiece;
  };
  struct Entry {
    std::string_view text;
    TokenId id;
    std::uint64_t head;  // the first 8 bytes of `text`, comparable
  };
  // The entries [first, last) share the text of `node`, `depth` bytes.
  struct Branch {
    std::int32_t node;
    std::size_t first, last, depth;
  };

  static void sort_by_bytes(std::vector<Entry>& entries);
  void add(std::int32_t root, std::vector<Entry> entries);
  void place_children(const Branch& branch, const std::vector<Entry>& entries, std::vector<Branch>& open);
  std::int32_t find_room(std::span<const unsigned char> bytes);
  bool fits(std::size_t base, std::span<const unsigned char> bytes) const;
  void grow_to(std::size_t size);

  std::vector<Node> nodes_;
  std::size_t first_free_ = 2;
  TokenId unk_;
};

}  // namespace bertprep
