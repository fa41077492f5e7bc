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

  std::size_t size() const { return lines_.size(); }
  std::string_view piece(TokenId id) const {
    const Line& line = lines_[static_cast<std::size_t>(id)];
    return std::string_view(bytes_).substr(line.begin, line.bytes);
  }
  std::optional<TokenId> find(std::string_view piece) const;

  TokenId pad() const { return pad_; }
  TokenId unk() const { return unk_; }
  TokenId cls() const { return cls_; }
  TokenId sep() const { return sep_; }
  TokenId mask() const { return mask_; }

  // All ids in the order of the file: those that may replace a masked token.
  std::span<const TokenId> ids() const { return ids_; }

  // sha256 of the file's bytes, lower-case hex. Computed by each call.
  std::string sha256() const;
  // The file as it was read, and its name without folders.
  const std::string& bytes() const { return bytes_; }
  const std::string& name() const { return name_; }

 private:
  Vocab() = default;
  // A piece in bytes_.
  struct Line {
    std::uint32_t begin;
    std::uint32_t bytes;
  };
  static constexpr TokenId kEmptySlot = -1;

  const TokenId& slot_of(std::string_view piece) const;

  std::vector<Line> lines_;
  std::vector<TokenId> ids_;
  std::vector<TokenId> slots_;  // a hash table with open addressing, at most half full
  TokenId pad_ = 0, unk_ = 0, cls_ = 0, sep_ = 0, mask_ = 0;
  std::string bytes_;
  std::string name_;
};

// The vocabulary `name_or_path`: an existing file, one piece a line; a WordPiece tokenizer.json, or a folder with one
// or with vocab.txt, as HuggingFace's programs write them; a built-in one ("sample-uncased"), else one that `bertprep
// vocab list` shows and `bertprep vocab fetch` has fetched. Throws IoError, which names the known ones; ConfigError for
// the files of another kind of tokenizer (text_encoder.h); FormatError that names the part for a tokenizer.json which
// would give other ids; else as Vocab::load does. Give the Tokenizer the case and accents that the files tell.
Vocab load_vocab(const std::string& name_or_path);

}  // namespace bertprep
