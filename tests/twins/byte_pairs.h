// Byte-level BPE by its regular expression and its merges, without tables and caches: the twin of the fast one.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "token/bpe/byte_pair_model.h"

namespace bertprep::test {

// GPT-2's regular expression, alternative by alternative. `text` must be valid UTF-8.
std::vector<std::string> plain_pre_tokens(std::string_view text);

class PlainBytePairs {
 public:
  explicit PlainBytePairs(const BytePairModel& model);  // keeps a reference

  std::vector<TokenId> encode(SpecialInText special, std::string_view text) const;
  // Repeatedly applies the lowest merge, leftmost first.
  std::vector<TokenId> merged(std::string_view word) const;

 private:
  void append_words(std::string text, std::vector<TokenId>& ids) const;

  const BytePairModel& model_;
  std::map<std::string, TokenId> ids_;
  std::map<std::pair<TokenId, TokenId>, std::size_t> ranks_;
};

// A small model: a token for each byte, then one for each merge ("a b"), from id 256 on, then `added`.
BytePairModel make_byte_pairs(const std::vector<std::string>& merges, std::vector<AddedToken> added = {});

}  // namespace bertprep::test
