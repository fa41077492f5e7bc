#include "instance/masking.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "base/clones.h"

namespace bertprep {
namespace {

constexpr double kMaskShare = 0.8;
constexpr double kTwoTo53 = 9007199254740992.0;
// real() is below the share if its 53 bits, as a number, are below this.
constexpr auto kMaskBelow = static_cast<std::uint64_t>(kMaskShare * kTwoTo53);
static_assert(static_cast<double>(kMaskBelow) == kMaskShare * kTwoTo53);
// Used by one token, if no word is drawn again.
constexpr std::size_t kMaxOutputs = 5;
constexpr std::size_t kBitsOfWord = 64;

// Almost no text has any: whole blocks are tested without a branch per token.
std::vector<std::uint64_t> find_fixed_tokens(const std::vector<TokenId>& ids, const InstanceVocab& vocab) {
  constexpr std::size_t kBlock = 1024;
  const auto is_fixed = [&](TokenId id) { return id == vocab.cls || id == vocab.sep; };
  std::vector<std::uint64_t> found;
  for (std::size_t begin = 0; begin < ids.size(); begin += kBlock) {
    const std::span block = std::span(ids).subspan(begin, std::min(kBlock, ids.size() - begin));
    int count = 0;
    for (const TokenId id : block) count += static_cast<int>(id == vocab.cls) | static_cast<int>(id == vocab.sep);
    if (count == 0) continue;
    for (std::size_t k = 0; k < block.size(); ++k) {
      if (is_fixed(block[k])) found.push_back(begin + k);
    }
  }
  return found;
}

std::size_t round_half_even(double value) {
  const auto whole = static_cast<std::size_t>(value);
  const double rest = value - static_cast<double>(whole);
  const bool up = rest > 0.5 || (rest == 0.5 && whole % 2 == 1);
  return up ? whole + 1 : whole;
}

}  // namespace

std::uint16_t masks_for_length(std::size_t length, const InstanceOptions& options) {
  const std::size_t share = round_half_even(static_cast<double>(length) * options.masked_lm_prob);
  return static_cast<std::uint16_t>(
      std::clamp(share, std::size_t{1}, static_cast<std::size_t>(options.max_predictions)));
}

Masking::Masking(const TokenizedDocuments& documents, const InstanceVocab& vocab, const InstanceOptions& options)
    : mask_(vocab.mask), random_words_(vocab.random_words), fixed_tokens_(find_fixed_tokens(documents.ids, vocab)) {
  const auto seq_len = static_cast<std::size_t>(options.seq_len);
  for (std::size_t length = 0; length <= seq_len; ++length) {
    masks_for_length_.push_back(masks_for_length(length, options));
  }
  candidates_.resize(seq_len);
  partners_.resize(seq_len);
  chosen_.resize(seq_len / kBitsOfWord + 1);
  replacement_at_.resize(seq_len);
}

std::uint16_t Masking::append(const SegmentPair& pair, Random& random, MaskedTokens& masked) {
  const std::size_t length = pair.length() + 3;
  candidate_count_ = 0;
  list_segment(pair.a_begin, pair.a_length, 1);
  list_segment(pair.b_begin, pair.b_length, pair.a_length + 2);
  const std::uint32_t count = std::min<std::uint32_t>(masks_for_length_[length], candidate_count_);
  shuffle_front(candidate_count_, count, random);
  append_in_order(count, length, random, masked);
  return static_cast<std::uint16_t>(count);
}

// The spans between fixed tokens; `position` is that of the first token in the row.
void Masking::list_segment(std::uint64_t begin, std::uint64_t length, std::size_t position) {
  const std::uint64_t end = begin + length;
  auto fixed =
      fixed_tokens_.empty() ? fixed_tokens_.end() : std::lower_bound(fixed_tokens_.begin(), fixed_tokens_.end(), begin);
  while (true) {
    const std::uint64_t stop = fixed == fixed_tokens_.end() ? end : std::min(*fixed, end);
    std::uint16_t* out = candidates_.data() + candidate_count_;
    std::iota(out, out + (stop - begin), static_cast<std::uint16_t>(position));
    candidate_count_ += static_cast<std::uint32_t>(stop - begin);
    if (stop == end) return;
    position += stop + 1 - begin;
    begin = stop + 1;
    ++fixed;
  }
}

// A shuffle of which only the first `front` values are needed: values moved to the back need not be written.
void Masking::shuffle_front(std::uint32_t count, std::uint32_t front, Random& random) {
  random.shuffle_partners(count, partners_.data());
  const std::uint16_t* partner = partners_.data();
  std::uint32_t k = count;
  while (k > std::max(front, 1U)) candidates_[*partner++] = candidates_[--k];
  while (k > 1) std::swap(candidates_[--k], candidates_[*partner++]);
}

TokenId Masking::draw_replacement(Random& random) const {
  if (random.real() < kMaskShare) return mask_;
  if (random.coin()) return kKeptToken;
  return random_words_[random.below(static_cast<std::uint32_t>(random_words_.size()))];
}

void Masking::choose(std::size_t position, TokenId replacement) {
  replacement_at_[position] = replacement;
  chosen_[position / kBitsOfWord] |= std::uint64_t{1} << (position % kBitsOfWord);
}

// draw_replacement() from candidate `k` on, as long as outputs are ready and no word is drawn again; returns the next
// candidate. Has no branch on random values.
BERTPREP_INLINE std::uint32_t Masking::draw_ready(std::uint32_t k, std::uint32_t count, Random& random) {
  const std::span<const std::uint32_t> ready = random.ready();
  const auto words = static_cast<std::uint32_t>(random_words_.size());
  const int shift = std::countl_zero(words);
  std::size_t taken = 0;
  for (; k < count && taken + kMaxOutputs <= ready.size(); ++k) {
    const std::uint32_t* output = ready.data() + taken;
    const std::uint64_t real = std::uint64_t{output[0] >> 5} << 26U | output[1] >> 6;
    const std::uint32_t is_other = 0U - static_cast<std::uint32_t>(real >= kMaskBelow);  // all bits, or none
    const std::uint32_t is_drawn = is_other & (0U - (output[2] >> 31));
    const std::uint32_t word = output[4] >> shift & is_drawn;
    if (word >= words) break;
    const std::uint32_t others = (static_cast<std::uint32_t>(kKeptToken) & ~is_drawn) |
                                 (static_cast<std::uint32_t>(random_words_[word]) & is_drawn);
    choose(candidates_[k], static_cast<TokenId>((static_cast<std::uint32_t>(mask_) & ~is_other) | (others & is_other)));
    taken += 2 + (is_other & 2U) + (is_drawn & 1U);
  }
  random.skip(static_cast<std::uint32_t>(taken));
  return k;
}

BERTPREP_INLINE void Masking::draw_replacements(std::uint32_t count, Random& random) {
  for (std::uint32_t k = 0; k < count; ++k) {
    k = draw_ready(k, count, random);
    if (k < count) choose(candidates_[k], draw_replacement(random));
  }
}

BERTPREP_CLONES
void Masking::append_in_order(std::uint32_t count, std::size_t length, Random& random, MaskedTokens& masked) {
  draw_replacements(count, random);
  const std::size_t old_size = masked.positions.size();
  masked.positions.resize(old_size + count);
  masked.replacements.resize(old_size + count);
  std::uint16_t* positions = masked.positions.data() + old_size;
  TokenId* replacements = masked.replacements.data() + old_size;
  for (std::size_t word = 0; word * kBitsOfWord < length; ++word) {
    for (std::uint64_t bits = chosen_[word]; bits != 0; bits &= bits - 1) {
      const std::size_t position = word * kBitsOfWord + static_cast<std::size_t>(std::countr_zero(bits));
      *positions++ = static_cast<std::uint16_t>(position);
      *replacements++ = replacement_at_[position];
    }
    chosen_[word] = 0;
  }
}

}  // namespace bertprep
