// VocabTrainer: a WordPiece vocabulary learned from text.
//
// The algorithm is byte-pair encoding over the letters of words (Sennrich, Haddow, Birch 2016, "Neural
// Machine Translation of Rare Words with Subword Units") with WordPiece's spelling, "##" before a
// piece that continues a word: the most frequent pair of neighbouring pieces becomes one piece, repeatedly. It uses
// plain counts, not the likelihood gain of Schuster and Nakajima (2012), which spends pieces on rare letter pairs. The
// text of the pieces breaks ties, so the vocabulary depends only on the words and their counts.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/token/tokenizer.h"

namespace bertprep {

struct VocabTrainerOptions {
  std::int64_t vocab_size = 30522;
  // A letter or a pair of pieces that occurs less often is left out.
  std::int64_t min_frequency = 2;
  // The most frequent letters get pieces; a word with any other letter is unknown to the vocabulary.
  std::int64_t max_letters = 1000;
  // As in TokenizerOptions.
  bool lower_case = true;
  AccentStripping strip_accents = AccentStripping::kAuto;
};

// Letters that occur often enough, and that a limit on letters or pieces leaves out.
struct LettersLeftOut {
  std::uint64_t letters = 0;
  std::uint64_t uses = 0;      // their occurrences in the text
  std::uint64_t all_uses = 0;  // those of all letters
};

// Words by their occurrences in the text.
struct WordsChanged {
  std::uint64_t words = 0;     // that lost capitals or accents
  std::uint64_t too_long = 0;  // that were ignored
  std::uint64_t all = 0;
};

class VocabTrainer {
 public:
  // Throws ConfigError.
  explicit VocabTrainer(const VocabTrainerOptions& options);

  // Counts the words of `text` (valid UTF-8), as basic_tokens() splits them. A word never continues into the text of
  // the next call. Not thread-safe. Memory: the distinct words.
  void add_text(std::string_view text);

  // The vocabulary of all text added so far; write one piece per line for Vocab::parse. It has [PAD], [UNK], [CLS],
  // [SEP], [MASK]; then the letters, first those that begin a word, then those that continue one, each by code point;
  // then pieces of several letters in the order in which they were learned. It has fewer pieces than requested if the
  // text yields no more. Words of more than 100 code points are ignored, because the tokenizer never splits them.
  // `left_out`, if given, gets what the limits leave out, `changed` what became of the words. Throws FormatError if the
  // text contains no words, Cancelled within a fraction of a second.
  std::vector<std::string> train(const Progress& progress = {}, LettersLeftOut* left_out = nullptr,
                                 WordsChanged* changed = nullptr) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  using Counts = std::unordered_map<std::string, std::int64_t, Hash, std::equal_to<>>;

  void count_words(std::string_view text, std::int64_t times, Counts& words, WordsChanged& changed) const;

  VocabTrainerOptions options_;
  Counts spans_;            // short spans without white space, not yet split
  Counts words_;            // words of longer ones
  WordsChanged changed_{};  // of those
};

}  // namespace bertprep
