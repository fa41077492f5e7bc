// Masking: chooses the tokens of an instance that the model must predict, and their replacements.
//
// All candidates are shuffled; the first ones are masked: with [MASK] in 80 of 100 cases, with themselves in 10, with a
// word drawn from the whole vocabulary in 10. [CLS] and [SEP] are not candidates, not even in the text.
#pragma once

#include "instance/segment_pairs.h"

namespace bertprep {

// Means the token itself.
constexpr TokenId kKeptToken = -1;

// Masked tokens of many instances, one instance after the other.
struct MaskedTokens {
  std::vector<std::uint16_t> positions;  // in the row, ascending within an instance
  std::vector<TokenId> replacements;     // or kKeptToken
};

// How many of `length` tokens are masked if there are enough candidates: the product as a double, rounded half to even,
// between 1 and max_predictions.
std::uint16_t masks_for_length(std::size_t length, const InstanceOptions& options);

class Masking {
 public:
  // `options` must be valid, and the words of `vocab` must outlive the object.
  Masking(const TokenizedDocuments& documents, const InstanceVocab& vocab, const InstanceOptions& options);

  // Masks one instance, appends its masked tokens and returns their number.
  std::uint16_t append(const SegmentPair& pair, Random& random, MaskedTokens& masked);

 private:
  void list_segment(std::uint64_t begin, std::uint64_t length, std::size_t position);
  void shuffle_front(std::uint32_t count, std::uint32_t front, Random& random);
  void draw_replacements(std::uint32_t count, Random& random);
  std::uint32_t draw_ready(std::uint32_t k, std::uint32_t count, Random& random);
  TokenId draw_replacement(Random& random) const;
  void choose(std::size_t position, TokenId replacement);
  void append_in_order(std::uint32_t count, std::size_t length, Random& random, MaskedTokens& masked);

  const TokenId mask_;
  const std::span<const TokenId> random_words_;
  std::vector<std::uint64_t> fixed_tokens_;      // positions of [CLS] and [SEP] in the text
  std::vector<std::uint16_t> masks_for_length_;  // by length of the row

  std::vector<std::uint16_t> candidates_;
  std::uint32_t candidate_count_ = 0;
  std::vector<std::uint16_t> partners_;
  std::vector<std::uint64_t> chosen_;    // one bit per position
  std::vector<TokenId> replacement_at_;  // by position, if chosen
};

}  // namespace bertprep
