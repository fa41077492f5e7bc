#include "token/bpe/word_merger.h"

#include <algorithm>

namespace bertprep {

TokenId* WordMerger::encode(std::string_view word, TokenId* out) {
  return word.size() <= kMaxShortBytes ? encode_short(word, out) : encode_long(word, out);
}

TokenId* WordMerger::encode_short(std::string_view word, TokenId* out) const {
  MergeTable::Rank ranks[kMaxShortBytes];
  std::size_t count = word.size();
  for (std::size_t i = 0; i < count; ++i) out[i] = byte_ids_[static_cast<unsigned char>(word[i])];
  for (std::size_t i = 0; i + 1 < count; ++i) ranks[i] = merges_.find(out[i], out[i + 1]);
  while (count > 1) {
    const auto* const best = std::min_element(
        ranks, ranks + count - 1, [](const auto& left, const auto& right) { return left.rank < right.rank; });
    if (best->rank == MergeTable::kNone) break;
    const auto at = static_cast<std::size_t>(best - ranks);
    out[at] = best->merged;
    std::copy(out + at + 2, out + count, out + at + 1);
    std::copy(ranks + at + 1, ranks + count - 1, ranks + at);
    --count;
    if (at > 0) ranks[at - 1] = merges_.find(out[at - 1], out[at]);
    if (at + 1 < count) ranks[at] = merges_.find(out[at], out[at + 1]);
  }
  return out + count;
}

void WordMerger::add_candidate(std::uint32_t at) {
  const Node& node = nodes_[at];
  if (node.next == nodes_.size()) return;
  const TokenId right = nodes_[node.next].id;
  const MergeTable::Rank rank = merges_.find(node.id, right);
  if (rank.rank == MergeTable::kNone) return;
  candidates_.push_back({rank.rank, at, node.id, right, rank.merged});
  std::push_heap(candidates_.begin(), candidates_.end());
}

TokenId* WordMerger::encode_long(std::string_view word, TokenId* out) {
  constexpr TokenId kGone = -1;
  nodes_.resize(word.size());
  candidates_.clear();
  const auto count = static_cast<std::uint32_t>(word.size());
  for (std::uint32_t i = 0; i < count; ++i) nodes_[i] = {byte_ids_[static_cast<unsigned char>(word[i])], i - 1, i + 1};
  for (std::uint32_t i = 0; i + 1 < count; ++i) add_candidate(i);
  while (!candidates_.empty()) {
    std::pop_heap(candidates_.begin(), candidates_.end());
    const Candidate best = candidates_.back();
    candidates_.pop_back();
    Node& left = nodes_[best.at];
    // Was one of the two merged meanwhile?
    if (left.id != best.left || left.next == count || nodes_[left.next].id != best.right) continue;
    Node& right = nodes_[left.next];
    left.id = best.merged;
    left.next = right.next;
    right.id = kGone;
    if (left.next != count) nodes_[left.next].previous = best.at;
    add_candidate(best.at);
    if (best.at > 0) add_candidate(left.previous);
  }
  for (std::uint32_t at = 0; at != count; at = nodes_[at].next) *out++ = nodes_[at].id;
  return out;
}

}  // namespace bertprep
