#include "bertprep/token/vocab_trainer.h"

#include <algorithm>
#include <tuple>

#include "base/fields.h"
#include "bertprep/base/error.h"
#include "token/token_words.h"
#include "token/word_pieces.h"
#include "unicode/ascii.h"
#include "unicode/code_points.h"
#include "unicode/properties/mappings.h"
#include "unicode/properties/properties.h"

namespace bertprep {
namespace {

constexpr std::string_view kContinues = "##";

// PieceMerges: joins the pieces of words pair by pair, the most frequent pair first.
class PieceMerges {
 public:
  // Pairs that occur less than `min_frequency` times are not joined.
  explicit PieceMerges(std::int64_t min_frequency) : min_frequency_(min_frequency) {}

  // Adds a word, given as its letters in UTF-8, that occurs `count` times. Add all words before the first call of
  // next().
  void add_word(const std::vector<std::string>& letters, std::int64_t count) {
    const auto number = static_cast<std::uint32_t>(words_.size());
    Word& word = words_.emplace_back(Word{{}, count});
    word.pieces.reserve(letters.size());
    for (const std::string& letter : letters) {
      const PieceNumber piece = number_of(word.pieces.empty() ? letter : std::string(kContinues).append(letter));
      if (!word.pieces.empty()) change({word.pieces.back(), piece}, count, number);
      word.pieces.push_back(piece);
    }
  }

  // Joins all occurrences of the most frequent pair of neighbours; of equally frequent ones, the pair whose first, then
  // second piece has the smaller text. Returns the new piece, nothing if no pair is frequent enough. A piece that two
  // pairs make is returned once. Time is proportional to the number of changes.
  std::optional<std::string> next() {
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
  static Pair pair_of(std::uint64_t key) {
    return {static_cast<PieceNumber>(key >> 32), static_cast<PieceNumber>(key & 0xFFFFFFFFU)};
  }

  PieceNumber number_of(const std::string& piece) {
    const auto [entry, is_new] = numbers_.try_emplace(piece, static_cast<PieceNumber>(pieces_.size()));
    if (is_new) pieces_.push_back(piece);
    return entry->second;
  }

  std::string joined_text(Pair pair) const {
    return pieces_[pair.first] + pieces_[pair.second].substr(kContinues.size());
  }

  void change(Pair pair, std::int64_t by, std::uint32_t word) {
    PairState& state = pairs_[key_of(pair)];
    state.count += by;
    if (by < 0) return;
    grown_.push_back(key_of(pair));
    if (state.words.empty() || state.words.back() != word) state.words.push_back(word);
  }

  void join_in_word(std::uint32_t word, Pair pair, PieceNumber joined) {
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

  void join_everywhere(Pair pair, PieceNumber joined) {
    const auto found = pairs_.find(key_of(pair));
    const std::vector<std::uint32_t> places = std::move(found->second.words);
    found->second.words.clear();
    for (const std::uint32_t word : places) join_in_word(word, pair, joined);
  }

  bool is_less(const Candidate& a, const Candidate& b) const {
    if (a.count != b.count) return a.count < b.count;
    return std::tie(pieces_[b.pair.first], pieces_[b.pair.second]) <
           std::tie(pieces_[a.pair.first], pieces_[a.pair.second]);
  }

  // Unless the pair is rare.
  void push(std::int64_t count, Pair pair) {
    if (count < min_frequency_) return;
    heap_.push_back({count, pair});
    std::push_heap(heap_.begin(), heap_.end(), [this](const auto& a, const auto& b) { return is_less(a, b); });
  }
  void push_grown() {
    std::sort(grown_.begin(), grown_.end());
    grown_.erase(std::unique(grown_.begin(), grown_.end()), grown_.end());
    for (const std::uint64_t key : grown_) push(pairs_[key].count, pair_of(key));
    grown_.clear();
  }
  std::optional<Pair> pop_most_frequent() {
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end(), [this](const auto& a, const auto& b) { return is_less(a, b); });
      const Candidate top = heap_.back();
      heap_.pop_back();
      const std::int64_t count = pairs_[key_of(top.pair)].count;
      if (count == top.count) return top.pair;
      if (count < top.count) push(count, top.pair);  // a pair that grew is in the heap again
    }
    return std::nullopt;
  }

  std::int64_t min_frequency_;
  std::vector<std::string> pieces_;
  std::unordered_map<std::string, PieceNumber> numbers_;
  std::vector<Word> words_;
  std::unordered_map<std::uint64_t, PairState> pairs_;
  std::vector<Candidate> heap_;       // counts may be outdated; checked when popped
  std::vector<std::uint64_t> grown_;  // pairs whose count has grown since they were last pushed
};

// Longer spans rarely repeat; scripts without blanks consist mostly of them.
constexpr std::size_t kMaxSpanBytes = 64;

// Checks occasionally whether to stop a loop over words.
class CancellationCheck {
 public:
  explicit CancellationCheck(const Progress& progress) : progress_(progress) {}
  void check() {
    if (++words_ % kWordsAtOnce == 0 && progress_.cancelled()) throw Cancelled();
  }

 private:
  static constexpr std::uint64_t kWordsAtOnce = 4096;
  const Progress& progress_;
  std::uint64_t words_ = 0;
};

struct CountedWord {
  std::u32string letters;
  std::int64_t count;
};

// Punctuation and CJK characters are words by themselves, so they never continue one.
bool may_continue_word(char32_t letter) {
  return !unicode::is_punctuation(letter) && !unicode::is_cjk(letter);
}

std::vector<CountedWord> learnable_words(const auto& counts, CancellationCheck& cancellation, WordsChanged& changed) {
  std::vector<CountedWord> words;
  for (const auto& [text, count] : counts) {
    cancellation.check();
    if (is_special_piece(text)) continue;
    std::u32string letters = unicode::decode(text);
    if (letters.size() <= WordPieces::kMaxCodePoints) {
      words.push_back({std::move(letters), count});
    } else {
      changed.too_long += static_cast<std::uint64_t>(count);
    }
  }
  if (words.empty()) throw FormatError("the text to learn a vocabulary from contains no words");
  return words;
}

std::vector<std::pair<char32_t, std::int64_t>> letters_by_frequency(const std::vector<CountedWord>& words) {
  std::map<char32_t, std::int64_t> counts;
  for (const CountedWord& word : words) {
    for (const char32_t letter : word.letters) counts[letter] += word.count;
  }
  std::vector<std::pair<char32_t, std::int64_t>> letters(counts.begin(), counts.end());
  std::stable_sort(letters.begin(), letters.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return letters;
}

// The letters that get pieces, by code point.
std::u32string choose_letters(const std::vector<CountedWord>& words, const VocabTrainerOptions& options,
                              LettersLeftOut& left_out) {
  auto room = options.vocab_size - static_cast<std::int64_t>(kBertPieces.size());
  std::u32string chosen;
  for (const auto& [letter, count] : letters_by_frequency(words)) {
    left_out.all_uses += static_cast<std::uint64_t>(count);
    if (count < options.min_frequency) continue;
    room -= may_continue_word(letter) ? 2 : 1;
    if (room >= 0 && left_out.letters == 0 && static_cast<std::int64_t>(chosen.size()) < options.max_letters) {
      chosen += letter;
    } else {
      ++left_out.letters;
      left_out.uses += static_cast<std::uint64_t>(count);
    }
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

std::vector<std::string> first_pieces(const std::u32string& letters) {
  std::vector<std::string> pieces(kBertPieces.begin(), kBertPieces.end());
  for (const char32_t letter : letters) pieces.push_back(unicode::encode({&letter, 1}));
  for (const char32_t letter : letters) {
    if (may_continue_word(letter)) pieces.push_back("##" + unicode::encode({&letter, 1}));
  }
  return pieces;
}

PieceMerges merges_of(const std::vector<CountedWord>& words, const std::u32string& letters, std::int64_t min_frequency,
                      CancellationCheck& cancellation) {
  PieceMerges merges(min_frequency);
  const auto is_chosen = [&](char32_t c) { return std::binary_search(letters.begin(), letters.end(), c); };
  std::vector<std::string> spelt;
  for (const CountedWord& word : words) {
    cancellation.check();
    if (!std::all_of(word.letters.begin(), word.letters.end(), is_chosen)) continue;
    spelt.clear();
    for (const char32_t letter : word.letters) spelt.push_back(unicode::encode({&letter, 1}));
    merges.add_word(spelt, word.count);
  }
  return merges;
}

bool is_lower_ascii(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) { return (c >= 'A' && c <= 'Z') || (c & 0x80) != 0; });
}

// How many words of the text lose capitals or accents. Decomposing a letter changes nothing that is seen.
std::uint64_t changed_words(std::string_view text, const std::vector<std::string>& words,
                            const Normalization& normalization) {
  if (normalization == Normalization{false, false} || is_lower_ascii(text)) return 0;
  const std::vector<std::string> whole =
      basic_tokens(text, {.lower_case = false, .strip_accents = AccentStripping::kNo});
  std::uint64_t changed = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::u32string letters = unicode::decode(whole[i]);
    if (normalization.strip_accents) letters = unicode::nfd(letters);
    changed += i >= words.size() || unicode::decode(words[i]) != letters ? 1 : 0;
  }
  return changed;
}

}  // namespace

FieldList<VocabTrainerOptions> fields_of(const VocabTrainerOptions* /*options*/) {
  using Options = VocabTrainerOptions;
  static const Field<Options> kFields[] = {
      {.name = "vocab-size",
       .member = &Options::vocab_size,
       .unit = "pieces",
       .help = "maximum number of pieces in the vocabulary",
       .min = 7,
       .max = 1 << 30},
      {.name = "min-frequency",
       .member = &Options::min_frequency,
       .unit = "times",
       .help = "minimum number of occurrences of letters and of pairs of pieces",
       .min = 1},
      {.name = "max-letters",
       .member = &Options::max_letters,
       .unit = "letters",
       .help = "maximum number of letters that get pieces: the most frequent ones",
       .min = 1},
      {.name = "lower-case", .member = &Options::lower_case, .unit = {}, .help = "learn from lower-case text"},
      {.name = "strip-accents",
       .member = enum_member<&Options::strip_accents>,
       .unit = {},
       .help = "learn from text without accents and other nonspacing marks; auto: with --lower-case",
       .choices = kAccentChoices,
       .unrecorded = kAutomaticAccents},
  };
  return {kFields, OptionGroup::kText};
}

VocabTrainer::VocabTrainer(const VocabTrainerOptions& options) : options_(options) {
  validate(options);
}

void VocabTrainer::add_text(std::string_view text) {
  for (auto at = text.begin(); at != text.end();) {
    const auto begin = std::find_if_not(at, text.end(), [](char c) { return is_ascii_blank(c); });
    at = std::find_if(begin, text.end(), [](char c) { return is_ascii_blank(c); });
    const std::string_view span(begin, at);
    if (span.empty()) break;
    if (span.size() > kMaxSpanBytes) {
      count_words(span, 1, words_, changed_);
    } else if (const auto found = spans_.find(span); found != spans_.end()) {
      ++found->second;
    } else {
      spans_.emplace(span, 1);
    }
  }
}

void VocabTrainer::count_words(std::string_view text, std::int64_t times, Counts& words, WordsChanged& changed) const {
  const TokenizerOptions tokenizer{.lower_case = options_.lower_case, .strip_accents = options_.strip_accents};
  const std::vector<std::string> read = basic_tokens(text, tokenizer);
  for (const std::string& word : read) words[word] += times;
  const auto uses = static_cast<std::uint64_t>(times);
  changed.words += uses * changed_words(text, read, normalization_of(tokenizer));
  changed.all += uses * read.size();
}

std::vector<std::string> VocabTrainer::train(const Progress& progress, LettersLeftOut* left_out,
                                             WordsChanged* changed) const {
  CancellationCheck cancellation(progress);
  Counts counts = words_;
  WordsChanged words_changed = changed_;
  for (const auto& [span, times] : spans_) {
    cancellation.check();
    count_words(span, times, counts, words_changed);
  }
  const std::vector<CountedWord> words = learnable_words(counts, cancellation, words_changed);
  if (changed != nullptr) *changed = words_changed;
  LettersLeftOut others;
  const std::u32string letters = choose_letters(words, options_, left_out == nullptr ? others : *left_out);
  std::vector<std::string> pieces = first_pieces(letters);
  PieceMerges merges = merges_of(words, letters, options_.min_frequency, cancellation);
  while (static_cast<std::int64_t>(pieces.size()) < options_.vocab_size) {
    if (progress.cancelled()) throw Cancelled();
    auto piece = merges.next();
    if (!piece) break;
    pieces.push_back(std::move(*piece));
  }
  return pieces;
}

}  // namespace bertprep
