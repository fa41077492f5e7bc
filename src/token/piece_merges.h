// PieceMerges: the pieces of words, joined pair by pair, the most frequent pair first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace bertprep {

class PieceMerges {
 public:
  // Pairs seen less than `min_frequency` times are not joined.
  explicit PieceMerges(std::int64_t min_frequency) : min_frequency_(min_frequency) {}

  // `word` as its letters, in UTF-8 each, seen `count` times. All words are added before the first call of
  // next().
  void add_word(const std::vector<std::string>& letters, std::int64_t count);

  // Joins the most frequent pair of neighbours wherever it stands; of equally frequent ones that with the
  // smaller text of its first piece, then of its second. Returns the new piece, nothing when no pair is
  // frequent enough. A piece that two pairs give is returned once. Takes time in proportion to the places
  // that change.
  std::optional<std::string> next();

 private:
  using PieceNumber = std::uint32_t;
  struct Word {
    std::vector<PieceNumber> pieces;
    std::int64_t count;
  };
  struct Pair {
    PieceNumber first, second;
  };
  struct PairState {
    std::int64_t count = 0;
    std::vector<std::uint32_t> words;  // where it stands, or stood once
  };
  struct Candidate {
    std::int64_t count;
    Pair pair;
  };

  static std::uint64_t key_of(Pair pair) { return std::uint64_t{pair.first} << 32 | pair.second; }
  static Pair pair_of(std::uint64_t key);

  PieceNumber number_of(const std::string& piece);
  std::string joined_text(Pair pair) const;
  void change(Pair pair, std::int64_t by, std::uint32_t word);
  void join_in_word(std::uint32_t word, Pair pair, PieceNumber joined);
  void join_everywhere(Pair pair, PieceNumber joined);
  bool is_less(const Candidate& a, const Candidate& b) const;
  void push_grown();
  std::optional<Pair> pop_most_frequent();

  std::int64_t min_frequency_;
  std::vector<std::string> pieces_;
  std::unordered_map<std::string, PieceNumber> numbers_;
  std::vector<Word> words_;
  std::unordered_map<std::uint64_t, PairState> pairs_;
  std::vector<Candidate> heap_;       // may hold counts that have changed since; checked when they come up
  std::vector<std::uint64_t> grown_;  // pairs whose count went up since they were last put on the heap
};

}  // namespace bertprep
