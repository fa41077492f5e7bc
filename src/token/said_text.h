// What the files of a vocabulary say about letters: whether its text is in lower case, whether it has accents.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "bertprep/token/tokenizer.h"
#include "token/huggingface/wordpiece_json.h"

namespace bertprep {

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

}  // namespace bertprep
