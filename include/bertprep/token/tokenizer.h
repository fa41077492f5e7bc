// Tokenizer: text -> WordPiece ids, exactly as BERT's BasicTokenizer and WordpieceTokenizer (google-research/bert,
// tokenization.py as shipped with the reference preparation) under Unicode 14.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/text/text_normalizer.h"
#include "bertprep/token/vocab.h"

namespace bertprep {

// For the program's flags: its sources read fields().
template <class Options>
struct Field;
enum class OptionGroup;

// Your own tokenizer, in place of WordPiece:
//
//   options.vocabulary = "pieces.txt";  // what the ids stand for, with [PAD], [UNK], [CLS], [SEP] and [MASK]
//   options.tokenizer.custom = std::make_shared<MyPieces>("pieces.model");
class SentenceTokenizer : public TextComponent {
 public:
  // Appends the ids of one sentence (valid UTF-8, one line); none leaves the sentence out. Called once for each
  // sentence. An id that the vocabulary doesn't have ends the stage with FormatError.
  virtual void encode(std::string_view sentence, std::vector<TokenId>& ids) const = 0;
};

struct TokenizerOptions {
  // True: lower case and strip accents. The reference always does; false is our extension and stands in the recipe.
  // For your own tokenizer it says what that does: the names of folders of shards tell it.
  bool lower_case = true;
  std::shared_ptr<const SentenceTokenizer> custom{};  // your own; null: WordPiece

  static const OptionGroup kGroup;
  static std::span<const Field<TokenizerOptions>> fields();
};

// Throws ConfigError for your own tokenizer without a name or version.
void check_tokenizer(const TokenizerOptions& options);

class Tokenizer {
 public:
  // Keeps a reference to `vocab`, which must outlive the tokenizer. A moved-from tokenizer may only be destroyed.
  Tokenizer(const Vocab& vocab, const TokenizerOptions& options);
  ~Tokenizer();
  Tokenizer(Tokenizer&&) noexcept;

  // Appends the ids of `text` (valid UTF-8, one line or many) to `ids`; returns how many. Text that gives no token
  // appends none. With a custom tokenizer, all of `text` is one sentence. Not thread-safe: a tokenizer
  // holds a cache of words. Give each thread a clone().
  std::size_t encode(std::string_view text, std::vector<TokenId>& ids);

  // A second tokenizer that shares the immutable tables of this one and has a cache of its own.
  Tokenizer clone() const;

 private:
  struct Tables;
  struct Cache;
  Tokenizer(std::shared_ptr<const Tables> tables);

  std::shared_ptr<const Tables> tables_;
  std::unique_ptr<Cache> cache_;
};

// The words of `text` before WordPiece: cleaned, lower-cased on request, split at white space, punctuation and CJK
// characters. Slow and plain; for tests, for training a vocabulary and for looking.
std::vector<std::string> basic_tokens(std::string_view text, const TokenizerOptions& options);

}  // namespace bertprep
