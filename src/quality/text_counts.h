// TextCounts: statistics of a shard's text, counted while it is tokenized.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/number_text.h"
#include "bertprep/token/tokenizer.h"
#include "io/json.h"
#include "unicode/properties/properties.h"

namespace bertprep {

struct CountedWord {
  std::string word;
  std::uint64_t times = 0;

  bool operator==(const CountedWord&) const = default;
};

// FrequentWords: the most frequent of many words, in bounded memory.
//
// Exact while there are no more than `most` different words; beyond that, the rarest half is dropped now and then
// (lossy counting: Manku, Motwani 2002), and frequent words stay. Not thread-safe.
class FrequentWords {
 public:
  explicit FrequentWords(std::size_t max = 4096) : max_(max) {}

  void add(std::string_view word, std::uint64_t times = 1);
  void add(const FrequentWords& other);

  // The `count` most frequent words, most frequent first, equally frequent ones in the order of their bytes.
  std::vector<CountedWord> most_frequent(std::size_t count) const;

  // The `count` most frequent ones, as in records: [["word", 12], ...].
  Json to_json(std::size_t count) const;
  // Throws FormatError.
  static FrequentWords from_json(const Json& json);

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view word) const { return std::hash<std::string_view>()(word); }
  };

  void forget_rare();

  std::size_t max_;
  std::unordered_map<std::string, std::uint64_t, Hash, std::equal_to<>> times_;
};

// LengthCounts: a histogram of lengths by powers of two: from 2^i up to but not including 2^(i + 1); 0 counts as 1.
class LengthCounts {
 public:
  void add(std::uint64_t length);
  void add(const LengthCounts& other);

  const std::array<std::uint64_t, 64>& by_power() const { return by_power_; }

  // The counts up to the last that is not 0, as in records and manifests.
  Json to_json() const;
  // Throws FormatError.
  static LengthCounts from_json(const Json& json);

 private:
  std::array<std::uint64_t, 64> by_power_{};
};

// DigestSample: how often the same text occurs, counted by digests in bounded memory.
//
// Digests whose lowest `level` bits are 0 are kept and counted; the level rises when there are too many. All
// occurrences of a text have the same digest, so the share of repeated texts in the sample estimates that in the corpus
// (distinct sampling: Gibbons 2001). At level 0 it is exact.
//
// Not thread-safe. Memory: 24 bytes for each digest kept, and as much for the digests of samples added to it.
class DigestSample {
 public:
  // Keeps at most `most` different digests.
  explicit DigestSample(std::size_t max = 2048) : max_(max) {}

  // `digest` has 64 well-mixed bits; the lowest 48 are used.
  void add(std::uint64_t digest) {
    digest &= kUsedBits;
    if ((digest & mask()) != 0) return;
    pending_.push_back(digest);
    if (pending_.size() >= max_) shrink();
  }
  // The sum of the samples of a corpus' shards keeps the digests of all of them, beyond its own limit.
  void add(const DigestSample& other);

  // Texts in the sample, and those that repeat an earlier one.
  std::uint64_t sampled() const;
  std::uint64_t repeated() const;
  // One text of 2^level is in the sample.
  int level() const { return level_; }
  double repeated_share() const;

  // As in records; independent of the order of the texts.
  Json to_json() const;
  // Throws FormatError.
  static DigestSample from_json(const Json& json);

 private:
  static constexpr std::uint64_t kUsedBits = (std::uint64_t{1} << 48) - 1;

  std::uint64_t mask() const { return (std::uint64_t{1} << level_) - 1; }
  void shrink();
  void raise_level(int level);
  void merge() const;
  void add_up_equal_ones() const;

  std::size_t max_;
  int level_ = 0;
  using Entry = std::pair<std::uint64_t, std::uint64_t>;  // digest and occurrences
  // Ascending and distinct; digests added since, singly and from other samples, wait for merge().
  mutable std::vector<Entry> kept_;
  mutable std::vector<std::uint64_t> pending_;
  mutable std::vector<Entry> others_;
};

// Counts for one script. A letter is a character of category L or M; a mark counts for the script of the letter before
// it.
struct ScriptCount {
  std::uint64_t letters = 0;
  // Nonspacing marks, which stripping accents removes, and kana that lose their voicing mark.
  std::uint64_t lost = 0;
  // Accented Latin, Greek or Cyrillic letters, which lose their accents.
  std::uint64_t accented = 0;
  std::string example{};  // the first word with one of these

  double lost_share() const { return share_of(lost, letters); }
  double accented_share() const { return share_of(accented, letters); }

  bool operator==(const ScriptCount&) const = default;
};

// The share of each script in a text, and what stripping accents removes.
struct ScriptCounts {
  std::map<std::string, ScriptCount> by_name;  // Unicode's names: "Latin", "Devanagari"

  std::uint64_t letters() const;  // of all
  void add(const ScriptCounts& other);
  Json to_json() const;
  // Throws FormatError.
  static ScriptCounts from_json(const Json& json);
};

// Counts the letters of valid UTF-8. Properties are Unicode 14's, looked up once for each block of 256 characters that
// occurs. Not thread-safe.
class ScriptCounter {
 public:
  void add(std::string_view text);
  // The counts since the last call.
  ScriptCounts take();

 private:
  struct Block;

  void add_others(std::string_view text);

  std::vector<std::shared_ptr<const Block>> blocks_{};
  std::array<ScriptCount, unicode::kMaxScripts> counts_{};
};

struct TextCounts {
  std::uint64_t articles = 0;  // with at least one sentence
  std::uint64_t sentences = 0;
  std::uint64_t tokens = 0;
  std::uint64_t words = 0;    // before WordPiece; an unknown one counts as one. 0 for a custom tokenizer
  std::uint64_t unknown = 0;  // [UNK]
  // Dropped: sentences without a token, and articles without other sentences.
  std::uint64_t empty_sentences = 0;
  std::uint64_t empty_articles = 0;
  LengthCounts sentence_lengths{};  // in tokens
  LengthCounts article_lengths{};   // in sentences
  FrequentWords unknown_words{};
  ScriptCounts scripts{};  // of a sample of the sentences
  DigestSample article_digests{};
  DigestSample sentence_digests{};

  void add(const TextCounts& other);
  // As in completion records.
  Json to_json() const;
  // Throws FormatError.
  static TextCounts from_json(const Json& json);
};

// Counts the text shards that one thread tokenizes, one by one. Not thread-safe.
class TextCounter {
 public:
  // `tokenizer`, a clone of the one that makes the ids, finds the words that became [UNK]; a custom one isn't called
  // again.
  TextCounter(const Vocab& vocab, Tokenizer tokenizer, const TokenizerOptions& options);

  // A sentence and its ids.
  void add_sentence(std::string_view sentence, std::span<const TokenId> ids);
  void end_article();
  // The counts since the last call.
  TextCounts take();

 private:
  void add_unknown_words(std::string_view sentence);
  void split_into_words();

  Tokenizer tokenizer_;
  TokenizerOptions options_;
  TokenId unk_;
  std::vector<std::uint8_t> continues_word_;  // by token id: the piece begins with "##"

  TextCounts counts_{};
  ScriptCounter scripts_{};
  FrequentWords unknown_tokens_{};  // white-space tokens with an unknown word
  std::vector<TokenId> ids_{};
  std::uint64_t article_digest_ = 0;
  std::uint64_t article_sentences_ = 0;
  std::uint64_t article_empty_ = 0;
  std::uint64_t script_bytes_ = 0;
  std::uint64_t unknown_sentences_ = 0;
};

}  // namespace bertprep
