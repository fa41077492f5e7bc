// Tokenizer: text -> WordPiece ids, exactly as BERT's BasicTokenizer and WordpieceTokenizer (google-research/bert,
// tokenization.py as shipped with the reference preparation) under Unicode 14.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/text/text_normalizer.h"
#include "bertprep/token/vocab.h"

namespace bertprep {

// Your own tokenizer instead of WordPiece:
//
//   options.vocabulary = "pieces.txt";  // what the ids stand for, with [PAD], [UNK], [CLS], [SEP] and [MASK]
//   options.tokenizer.custom = std::make_shared<MyPieces>("pieces.model");
class SentenceTokenizer : public TextComponent {
 public:
  // Appends the ids of one sentence (valid UTF-8, one line); a sentence without ids is left out. Called once for each
  // sentence. An id that is not in the vocabulary ends the stage with FormatError.
  virtual void encode(std::string_view sentence, std::vector<TokenId>& ids) const = 0;
};

// kAuto: with lower case, as the reference does.
enum class AccentStripping { kAuto, kYes, kNo };

struct TokenizerOptions {
  // True: convert text to lower case. The reference always does; false is our extension and is recorded in the recipe.
  // For a custom tokenizer, say what it does: the names of shard folders depend on it.
  bool lower_case = true;
  // Whether text is decomposed (NFD) and loses its nonspacing marks. Many scripts spell vowels with them, so that
  // stripping changes words of Hindi, Marathi, Thai, Khmer and others. A choice that gives the same ids as kAuto is the
  // same recipe.
  AccentStripping strip_accents = AccentStripping::kAuto;
  std::shared_ptr<const SentenceTokenizer> custom{};  // your own; null: WordPiece
};

// Throws ConfigError for a custom tokenizer without a name or version.
void check_tokenizer(const TokenizerOptions& options);

class Tokenizer {
 public:
  // Keeps a reference to `vocab`, which must outlive the tokenizer. A moved-from tokenizer may only be destroyed.
  Tokenizer(const Vocab& vocab, const TokenizerOptions& options);
  ~Tokenizer();
  Tokenizer(Tokenizer&&) noexcept;

  // Appends the ids of `text` (valid UTF-8, one line or many) to `ids`; returns how many. Text without tokens appends
  // none. With a custom tokenizer, all of `text` is one sentence. Not thread-safe, because a tokenizer caches words:
  // give each thread a clone().
  std::size_t encode(std::string_view text, std::vector<TokenId>& ids);

  // A second tokenizer that shares the immutable tables of this one but has a separate cache.
  Tokenizer clone() const;

 private:
  struct Tables;
  struct Cache;
  Tokenizer(std::shared_ptr<const Tables> tables);

  std::shared_ptr<const Tables> tables_;
  std::unique_ptr<Cache> cache_;
};

// The words of `text` before WordPiece: cleaned, lower-cased and without accents on request, split at white space,
// punctuation and CJK characters. Slow and simple; for tests, for training a vocabulary and for inspection.
std::vector<std::string> basic_tokens(std::string_view text, const TokenizerOptions& options);

}  // namespace bertprep
