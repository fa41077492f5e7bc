// TextEncoder: text -> token ids by any vocabulary: WordPiece, or the byte-level BPE of GPT-2, GPT-NeoX, OLMo and
// ModernBERT. For token sequences; rows for BERT need a WordPiece Vocab.
//
//   auto encoder = TextEncoder::open("tokenizer.json", {});
//   encoder.encode(line, ids);
//
// File formats: docs/formats/vocabulary.md, docs/formats/byte-pairs.md. WordPiece ids are those of Tokenizer; BPE ids
// those of HuggingFace's tokenizers 0.23.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/token/tokenizer.h"
#include "bertprep/token/vocab.h"

namespace bertprep {

// The special tokens, if the vocabulary has them.
struct SpecialIds {
  std::optional<TokenId> cls{};   // begins a row
  std::optional<TokenId> sep{};   // ends it
  std::optional<TokenId> pad{};   // pads it
  std::optional<TokenId> mask{};  // replaces a token to predict
  std::optional<TokenId> unk{};   // replaces what can't be spelled
  std::optional<TokenId> eod{};   // ends a document: "<|endoftext|>"

  bool operator==(const SpecialIds&) const = default;
};

// How to read a control token spelled out in the text: as plain text (OpenAI's encode_ordinary), or as the token
// (HuggingFace's encode). Foreign text should not control a trainer.
enum class SpecialInText { kText, kControl };

struct EncoderOptions {
  // For byte-level BPE. WordPiece follows the reference: a word that is exactly a special piece is that piece.
  SpecialInText special_in_text = SpecialInText::kText;
};

struct BytePairModel;

class TextEncoder {
 public:
  // `name_or_path` is what load_vocab() takes, or a byte-level BPE tokenizer: tokenizer.json; vocab.json or merges.txt
  // with the other beside it; or a folder with one or the other. `wordpiece` applies only to WordPiece; not given,
  // case and accents are those that the files of the vocabulary or the catalogue name. Throws IoError; ConfigError if
  // `wordpiece` contradicts these files; FormatError for files that are broken or need a feature that this encoder
  // lacks, which it names.
  static TextEncoder open(const std::string& name_or_path, const EncoderOptions& options,
                          const std::optional<TokenizerOptions>& wordpiece = {});
  ~TextEncoder();
  TextEncoder(TextEncoder&&) noexcept;

  // Appends the ids of `text` (valid UTF-8); returns how many. Adds no [CLS], [SEP] or the like. WordPiece drops
  // line feeds; BPE has ids for them, and for every other byte. Not thread-safe, because an encoder caches words: give
  // each thread a clone().
  std::size_t encode(std::string_view text, std::vector<TokenId>& ids);

  // A second encoder that shares the immutable tables of this one but has a separate cache.
  TextEncoder clone() const;

  // One more than the largest id.
  std::size_t size() const;
  const SpecialIds& specials() const;
  // The token as its file spells it ("##ing", "Ġthe"); empty for an id less than size() that no token has.
  std::string_view token(TokenId id) const;

  // Of the file, lower-case hex; for vocab.json and merges.txt, of the one followed by the other.
  std::string sha256() const;
  const std::string& name() const;

  // The vocabulary of this kind; the other one is null.
  const Vocab* wordpiece() const;
  const BytePairModel* byte_pairs() const;

 private:
  struct Parts;
  explicit TextEncoder(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

// Whether `name_or_path` names the files of a byte-level BPE tokenizer: a file NAME.json, merges.txt, or a folder with
// tokenizer.json or vocab.json. Not a tokenizer.json whose model is WordPiece.
bool is_byte_pair_path(const std::string& name_or_path);

}  // namespace bertprep
