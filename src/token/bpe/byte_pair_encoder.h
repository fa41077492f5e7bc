// BytePairEncoder: text -> the ids of byte-level BPE. Added tokens are extracted; the text between them is normalized,
// split into words and merged.
#pragma once

#include <bitset>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "token/bpe/byte_pair_model.h"
#include "token/bpe/byte_word_cache.h"
#include "token/bpe/word_merger.h"

namespace bertprep {

// AddedTokens: finds added tokens in a text.
class AddedTokens {
 public:
  AddedTokens() = default;
  // The tokens must differ in content, and none may be empty.
  explicit AddedTokens(std::vector<AddedToken> tokens);

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

class BytePairEncoder {
 public:
  BytePairEncoder(std::shared_ptr<const BytePairModel> model, SpecialInText special_in_text);

  // Appends the ids of `text` (valid UTF-8). Not thread-safe: give each thread its own clone().
  void encode(std::string_view text, std::vector<TokenId>& ids);

  BytePairEncoder clone() const { return BytePairEncoder(tables_); }
  const BytePairModel& model() const;

 private:
  struct Tables;
  explicit BytePairEncoder(std::shared_ptr<const Tables> tables);

  void encode_normalized(std::string_view text);
  void encode_words(std::string_view text);
  TokenId* encode_word(const char* at, std::size_t length, const char* readable_end, TokenId* out);
  TokenId* merge_word(std::string_view word, TokenId* out);
  void add_id(TokenId id);
  TokenId* room_for(std::size_t ids);

  std::shared_ptr<const Tables> tables_;
  // First: most English words. Second: those of other languages, and those spelled in many pieces.
  ByteWordCache<ByteKey<2>, 3, 15> short_words_;
  ByteWordCache<ByteKey<4>, 7, 13> long_words_;
  WordMerger merger_;
  std::string normalized_;
  std::string prefixed_;
  std::vector<TokenId> out_;
  std::size_t used_ = 0;  // of out_
  std::vector<TokenId>* ids_ = nullptr;
};

}  // namespace bertprep
