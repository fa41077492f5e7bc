// The known vocabularies, and where a vocabulary that was asked for by name or path lies.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "bertprep/token/vocab.h"

namespace bertprep {

struct KnownVocab {
  std::string name;                  // "bert-large-uncased"
  std::vector<std::string> aliases;  // other names of the same file: "google-bert/bert-base-uncased"
  std::string file;                  // "bert-large-uncased-vocab.txt"
  std::string description;
  bool cased = false;
  std::uint64_t pieces = 0;
  std::string sha256;          // of the file; empty when it is not known
  std::string url;             // empty for what the project ships
  bool built_in = false;       // the library holds its pieces and needs no file
  std::filesystem::path path;  // where it lies on this machine; empty when it does not

  bool is_called(const std::string& called) const;
};

// All entries of the catalogue (vocab/catalogue.json). Throws FormatError when the installed catalogue is damaged.
std::vector<KnownVocab> known_vocabs();

// The folders in which vocabularies are looked for: $BERTPREP_VOCAB_DIR, the user's data folder, and the data folder
// that lies beside the running program as it was installed.
std::vector<std::filesystem::path> vocab_folders();

// The first of them that is the user's own: where a fetched vocabulary goes. Throws ConfigError when there is none.
std::filesystem::path vocab_home();

// The file that `name_or_path` means: an existing file, else a vocabulary of the catalogue that lies in one of the
// folders and has its digest. Throws IoError that names the known ones and says where to put the file.
std::filesystem::path resolve_vocab(const std::string& name_or_path);

// Throws ConfigError where that is a byte-level BPE tokenizer (text_encoder.h).
void refuse_byte_pairs(const std::string& name_or_path);

// Where that lies, for messages: the file, or "NAME (built in)".
std::string vocab_place(const std::string& name_or_path);

}  // namespace bertprep
