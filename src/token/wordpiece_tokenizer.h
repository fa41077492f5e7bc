// The files of a WordPiece tokenizer, as HuggingFace's programs write them -> its vocabulary, and how it reads letters.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "bertprep/token/vocab.h"
#include "token/huggingface/wordpiece_json.h"

namespace bertprep {

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

}  // namespace bertprep
