#include "token/piece_merges.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace bertprep {
namespace {

constexpr std::string_view kContinues = "##";

}  // namespace

PieceMerges::Pair PieceMerges::pair_of(std::uint64_t key) {
  return {static_cast<PieceNumber>(key >> 32), static_cast<PieceNumber>(key & 0xFFFFFFFFU)};
}

void PieceMerges::add_word(const std::vector<std::string>& letters, std::int64_t count) {
  const auto number = static_cast<std::uint32_t>(words_.size());
  Word& word = words_.emplace_back(Word{{}, count});
  word.pieces.reserve(letters.size());
  for (const std::string& letter : letters) {
    const PieceNumber piece = number_of(word.pieces.empty() ? letter : std::string(kContinues).append(letter));
    if (!word.pieces.empty()) change({word.pieces.back(), piece}, count, number);
    word.pieces.push_back(piece);
  }
}

std::optional<std::string> PieceMerges::next() {
  push_grown();
  while (const auto pair = pop_most_frequent()) {
    const std::string text = joined_text(*pair);
    const bool is_new = !numbers_.contains(text);
    join_everywhere(*pair, number_of(text));
    if (is_new) return text;
    push_grown();
  }
  return std::nullopt;
}

PieceMerges::PieceNumber PieceMerges::number_of(const std::string& piece) {
  const auto [entry, is_new] = numbers_.try_emplace(piece, static_cast<PieceNumber>(pieces_.size()));
  if (is_new) pieces_.push_back(piece);
  return entry->second;
}

std::string PieceMerges::joined_text(Pair pair) const {
  return pieces_[pair.first] + pieces_[pair.second].substr(kContinues.size());
}

void PieceMerges::change(Pair pair, std::int64_t by, std::uint32_t word) {
  PairState& state = pairs_[key_of(pair)];
  state.count += by;
  if (by < 0) return;
  grown_.push_back(key_of(pair));
  if (state.words.empty() || state.words.back() != word) state.words.push_back(word);
}

void PieceMerges::join_everywhere(Pair pair, PieceNumber joined) {
  const auto found = pairs_.find(key_of(pair));
  const std::vector<std::uint32_t> places = std::move(found->second.words);
  found->second.words.clear();
  for (const std::uint32_t word : places) join_in_word(word, pair, joined);
}

void PieceMerges::join_in_word(std::uint32_t word, Pair pair, PieceNumber joined) {
  auto& [pieces, count] = words_[word];
  std::size_t kept = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i] != pair.first || i + 1 == pieces.size() || pieces[i + 1] != pair.second) {
      pieces[kept++] = pieces[i];
      continue;
    }
    change(pair, -count, word);
    if (kept > 0) {
      change({pieces[kept - 1], pair.first}, -count, word);
      change({pieces[kept - 1], joined}, count, word);
    }
    if (i + 2 < pieces.size()) {
      change({pair.second, pieces[i + 2]}, -count, word);
      change({joined, pieces[i + 2]}, count, word);
    }
    pieces[kept++] = joined;
    ++i;
  }
  pieces.resize(kept);
}

bool PieceMerges::is_less(const Candidate& a, const Candidate& b) const {
  if (a.count != b.count) return a.count < b.count;
  return std::tie(pieces_[b.pair.first], pieces_[b.pair.second]) <
         std::tie(pieces_[a.pair.first], pieces_[a.pair.second]);
}

void PieceMerges::push_grown() {
  std::sort(grown_.begin(), grown_.end());
  grown_.erase(std::unique(grown_.begin(), grown_.end()), grown_.end());
  for (const std::uint64_t key : grown_) {
    const std::int64_t count = pairs_[key].count;
    if (count < min_frequency_) continue;
    heap_.push_back({count, pair_of(key)});
    std::push_heap(heap_.begin(), heap_.end(), [this](const auto& a, const auto& b) { return is_less(a, b); });
  }
  grown_.clear();
}

std::optional<PieceMerges::Pair> PieceMerges::pop_most_frequent() {
  const auto less = [this](const Candidate& a, const Candidate& b) { return is_less(a, b); };
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), less);
    const Candidate top = heap_.back();
    heap_.pop_back();
    const std::int64_t count = pairs_[key_of(top.pair)].count;
    if (count == top.count) return top.pair;
    if (count > top.count || count < min_frequency_) continue;  // a pair that grew is in the heap again
    heap_.push_back({count, top.pair});
    std::push_heap(heap_.begin(), heap_.end(), less);
  }
  return std::nullopt;
}

}  // namespace bertprep
