// Vocab: WordPiece vocabulary, piece <-> id.
//
// File format: docs/formats/vocabulary.md. UTF-8, one piece per line, the id is the line number from 0; lines end at
// LF, CR or CRLF and are stripped of white space. A piece that continues a word starts with "##".
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace bertprep {

// The number of a WordPiece: its line in the vocabulary, from 0. Signed and 32 bits wide as in the shards.
using TokenId = std::int32_t;

class Vocab {
 public:
  // Throws IoError; FormatError for invalid UTF-8, a duplicate piece (both lines are named) or a missing special piece
  // ([PAD], [UNK], [CLS], [SEP], [MASK]).
  static Vocab load(const std::filesystem::path& path);
  // The same from the bytes of a file; messages use `name`.
  static Vocab parse(std::string_view bytes, const std::string& name);

  std::size_t size() const { return pieces_.size(); }
  std::string_view piece(TokenId id) const { return pieces_[static_cast<std::size_t>(id)]; }
  std::optional<TokenId> find(std::string_view piece) const;

  TokenId pad() const { return pad_; }
  TokenId unk() const { return unk_; }
  TokenId cls() const { return cls_; }
  TokenId sep() const { return sep_; }
  TokenId mask() const { return mask_; }

  // All ids in the order of the file: those that may replace a masked token.
  std::span<const TokenId> ids() const { return ids_; }

  // sha256 of the file's bytes, lower-case hex.
  const std::string& sha256() const { return sha256_; }
  // The file as it was read, and its name without folders.
  const std::string& bytes() const { return bytes_; }
  const std::string& name() const { return name_; }

 private:
  Vocab() = default;
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };

  std::vector<std::string> pieces_;
  std::vector<TokenId> ids_;
  std::unordered_map<std::string, TokenId, Hash, std::equal_to<>> by_piece_;
  TokenId pad_ = 0, unk_ = 0, cls_ = 0, sep_ = 0, mask_ = 0;
  std::string sha256_;
  std::string bytes_;
  std::string name_;
};

// The vocabulary `name_or_path`: an existing file, a built-in one ("sample-uncased"), else one that `bertprep vocab
// list` shows and `bertprep vocab fetch` has fetched. Throws IoError, which names the known ones; ConfigError for the
// files of another kind of tokenizer (text_encoder.h); else as Vocab::load does.
Vocab load_vocab(const std::string& name_or_path);

}  // namespace bertprep
