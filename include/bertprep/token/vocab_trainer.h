// VocabTrainer: a WordPiece vocabulary learnt from text.
//
// The algorithm is byte-pair encoding over the letters of words (Sennrich, Haddow, Birch 2016, "Neural
// Machine Translation of Rare Words with Subword Units") with WordPiece's spelling, "##" before what
// continues a word: the two neighbouring pieces that are most often seen together become one piece, again and
// again. Plain counts are used, not the likelihood gain of Schuster and Nakajima (2012), which spends pieces
// on rare letter pairs. Equal counts are decided by the text of the pieces, so that the vocabulary depends on
// the words and their counts alone.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bertprep/base/progress.h"

namespace bertprep {

// For the program's flags: its sources read fields().
template <class Options>
struct Field;
enum class OptionGroup;

struct VocabTrainerOptions {
  std::int64_t vocab_size = 30522;
  // A letter or a pair of pieces that is seen less often is left out.
  std::int64_t min_frequency = 2;
  // The most frequent letters get pieces; a word with any other letter is unknown to the vocabulary.
  std::int64_t max_letters = 1000;
  bool lower_case = true;

  static const OptionGroup kGroup;
  static std::span<const Field<VocabTrainerOptions>> fields();
};

class VocabTrainer {
 public:
  // Throws ConfigError.
  explicit VocabTrainer(const VocabTrainerOptions& options);

  // Counts the words of `text` (valid UTF-8), those of basic_tokens. A word never goes on into the next
  // call's text. Not thread-safe. Memory: the distinct words.
  void add_text(std::string_view text);

  // The vocabulary of all text added so far, for Vocab::parse once written a piece a line: [PAD], [UNK],
  // [CLS], [SEP], [MASK]; the letters, first those that begin a word, then those that continue one, each by
  // code point; then pieces of several letters in the order in which they were learnt. It has fewer pieces
  // than asked for where the text gives no more. Words of more than 100 code points have no part in it, as
  // the tokenizer never looks into them. Throws FormatError when the text holds no word, Cancelled within a
  // fraction of a second.
  std::vector<std::string> train(const Progress& progress = {}) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  using Counts = std::unordered_map<std::string, std::int64_t, Hash, std::equal_to<>>;

  void count_words(std::string_view text, std::int64_t times, Counts& words) const;

  VocabTrainerOptions options_;
  Counts stretches_;  // short stretches without white space, not yet looked into
  Counts words_;      // words of longer ones
};

}  // namespace bertprep
