// The known vocabularies, and how a name or path is resolved to a file.
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
  std::string sha256;          // of the file; empty if unknown
  std::string url;             // empty for vocabularies of the project
  bool built_in = false;       // the library holds its pieces and needs no file
  std::filesystem::path path;  // on this machine; empty if missing

  bool is_called(const std::string& called) const;
};

// All entries of the catalogue (vocab/catalogue.json). Throws FormatError if the installed catalogue is damaged.
std::vector<KnownVocab> known_vocabs();

// The folders that are searched for vocabularies: $BERTPREP_VOCAB_DIR, the user's data folder, and the data folder
// installed with the running program.
std::vector<std::filesystem::path> vocab_folders();

// The first of them that belongs to the user, for fetched vocabularies. Throws ConfigError if there is none.
std::filesystem::path vocab_home();

// The file of `name_or_path`: an existing file, else a vocabulary of the catalogue that is in one of the folders and
// has its digest. Throws IoError, which names the known ones and says where to put the file.
std::filesystem::path resolve_vocab(const std::string& name_or_path);

// Throws ConfigError if it is a byte-level BPE tokenizer (text_encoder.h).
void refuse_byte_pairs(const std::string& name_or_path);

// Its origin, for messages: the file, or "NAME (built in)".
std::string vocab_place(const std::string& name_or_path);

}  // namespace bertprep
