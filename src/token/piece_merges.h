// PieceMerges: joins the pieces of words pair by pair, the most frequent pair first.
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
  // Pairs that occur less than `min_frequency` times are not joined.
  explicit PieceMerges(std::int64_t min_frequency) : min_frequency_(min_frequency) {}

  // Adds a word, given as its letters in UTF-8, that occurs `count` times. Add all words before the first call of
  // next().
  void add_word(const std::vector<std::string>& letters, std::int64_t count);

  // Joins all occurrences of the most frequent pair of neighbours; of equally frequent ones, the pair whose first, then
  // second piece has the smaller text. Returns the new piece, nothing if no pair is frequent enough. A piece that two
  // pairs make is returned once. Time is proportional to the number of changes.
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
    std::vector<std::uint32_t> words;  // that contain it, or once did
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
  std::vector<Candidate> heap_;       // counts may be outdated; checked when popped
  std::vector<std::uint64_t> grown_;  // pairs whose count has grown since they were last pushed
};

}  // namespace bertprep
