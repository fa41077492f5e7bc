// The files of tokenizers, as HuggingFace's programs write and read them, and the text that a vocabulary is for: what
// its files say about letters, whether it is in lower case, whether it has accents; and what its pieces say.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bertprep/token/text_encoder.h"
#include "bertprep/token/tokenizer.h"
#include "bertprep/token/vocab.h"
#include "token/huggingface/tokenizer_folder.h"
#include "token/huggingface/wordpiece_files.h"

namespace bertprep {

// Those of a WordPiece tokenizer -> its vocabulary, and how it reads letters.
struct WordPieceFiles {
  Vocab vocab;
  SaidText text;
};

// Whether `path` is a tokenizer.json of any name, or a folder with one, whose model is WordPiece; or a folder with
// vocab.txt and without the files of another tokenizer. False for files that can't be read.
bool is_wordpiece_path(const std::filesystem::path& path);

// The files of such a path; nothing of another. A tokenizer_config.json beside it is read, too, and so is the vocab.txt
// of a folder: files that contradict each other are an error that names both. The vocabulary's bytes are those of
// vocab.txt, else of the vocab.txt with these pieces. Throws IoError, FormatError.
std::optional<WordPieceFiles> find_wordpiece_files(const std::filesystem::path& path);

// The folder from which HuggingFace's AutoTokenizer loads the tokenizer of a TextEncoder. `wordpiece` are the options
// with which the encoder was opened, `max_tokens` is the longest row that the model accepts. Throws ConfigError for a
// custom tokenizer: no file describes it.
std::vector<TokenizerFile> huggingface_files(const TextEncoder& encoder, const TokenizerOptions& wordpiece,
                                             std::int64_t max_tokens);

// The file of pieces: `path`, or vocab.txt in that folder. It need not exist.
std::filesystem::path pieces_file(const std::filesystem::path& path);

// What a WordPiece tokenizer.json says, alone or in a folder, else the catalogue of a known name or digest. `sha256` is
// that of the pieces, if known. Throws as load_vocab().
std::optional<SaidText> text_of_files(const std::string& name_or_path, std::string sha256 = {});

// What tokenizer_config.json beside vocab.txt says, as in the folders that HuggingFace and `berttrain --export` write.
// A file that can't be read counts as missing: the vocabulary is whole without it.
std::optional<SaidText> configured_text(const std::filesystem::path& pieces);

// Throws ConfigError if text that is read with `options` differs from what the vocabulary is said to be for.
void require_said_text(const std::string& vocabulary, const SaidText& said, const TokenizerOptions& options);

// `options` that read text as the vocabulary is said to be for.
TokenizerOptions options_of_said_text(const SaidText& said, TokenizerOptions options = {});

// The pieces that no text gives: those with capitals where text is turned into lower case, and with accents where these
// are stripped. A vocabulary with many was made for other text.
struct UnreachablePieces {
  std::uint64_t pieces = 0;
  std::uint64_t of = 0;  // those in brackets, as [CLS] and [unused1], don't count
  std::string example{};

  // So many that the vocabulary is for text that is read otherwise. A vocabulary of a few pieces tells nothing.
  bool are_many() const { return of >= 20 && 20 * pieces > of; }
};

UnreachablePieces unreachable_pieces(const Vocab& vocab, const TokenizerOptions& options);

}  // namespace bertprep
