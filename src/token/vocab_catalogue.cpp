#include "token/vocab_catalogue.h"

#include <algorithm>

#include "base/address.h"
#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "bertprep/token/text_encoder.h"
#include "io/digest.h"
#include "io/input_file.h"
#include "io/json.h"
#include "io/process.h"
#include "token/embedded.h"
#include "token/tokenizer_files.h"

namespace bertprep {
namespace {

constexpr const char* kBuiltInVocab = "sample-uncased";

namespace fs = std::filesystem;

void add_from_environment(const char* variable, const char* below, std::vector<fs::path>& folders) {
  const std::string value = environment_variable(variable);
  if (!value.empty()) folders.push_back(fs::path(value) / below);
}

std::vector<fs::path> folders_of_user() {
  std::vector<fs::path> folders;
  add_from_environment("BERTPREP_VOCAB_DIR", "", folders);
  add_from_environment("XDG_DATA_HOME", "bertprep/vocab", folders);
  add_from_environment("HOME", ".local/share/bertprep/vocab", folders);
  return folders;
}

// Under the name of the file, or that of the vocabulary, as `run` stores it with its downloads. A folder that can't be
// searched counts as empty.
fs::path find_file(const KnownVocab& vocab) {
  std::error_code error;
  for (const fs::path& folder : vocab_folders()) {
    for (const std::string& file : {vocab.file, vocab.name + ".txt"}) {
      if (fs::is_regular_file(folder / file, error)) return folder / file;
    }
  }
  return {};
}

bool is_built_in(const std::string& name_or_path) {
  return name_or_path == kBuiltInVocab && !fs::exists(name_or_path);
}

}  // namespace

bool KnownVocab::is_called(const std::string& called) const {
  return name == called || std::ranges::find(aliases, called) != aliases.end();
}

std::vector<fs::path> vocab_folders() {
  std::vector<fs::path> folders = folders_of_user();
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) folders.push_back((program.parent_path() / BERTPREP_VOCAB_FOLDER).lexically_normal());
  return folders;
}

fs::path vocab_home() {
  const std::vector<fs::path> folders = folders_of_user();
  if (!folders.empty()) return folders.front();
  throw ConfigError("no user folder for vocabularies is known", {}, "set HOME, XDG_DATA_HOME or BERTPREP_VOCAB_DIR");
}

std::vector<KnownVocab> known_vocabs() {
  const Json catalogue = Json::parse(embedded::kVocabularies, "vocab/catalogue.json");
  std::vector<KnownVocab> vocabs;
  for (const Json& entry : catalogue.at("vocabularies").items()) {
    KnownVocab vocab;
    vocab.name = entry.at("name").text();
    if (const Json* aliases = entry.find("aliases")) {
      for (const Json& alias : aliases->items()) vocab.aliases.push_back(alias.text());
    }
    vocab.file = entry.at("file").text();
    vocab.description = entry.at("description").text();
    vocab.cased = entry.at("cased").as_bool();
    vocab.pieces = entry.at("pieces").as_unsigned();
    vocab.sha256 = entry.at("sha256").text();
    vocab.url = entry.at("url").text();
    vocab.built_in = vocab.name == kBuiltInVocab;
    vocab.path = find_file(vocab);
    vocabs.push_back(std::move(vocab));
  }
  return vocabs;
}

fs::path resolve_vocab(const std::string& name_or_path) {
  refuse_address(name_or_path);
  if (fs::exists(name_or_path)) {
    require_no_device(name_or_path);
    return name_or_path;
  }
  for (const KnownVocab& vocab : known_vocabs()) {
    if (!vocab.is_called(name_or_path)) continue;
    if (vocab.path.empty()) {
      const std::string from = vocab.url.empty() ? "" : " (vocab.txt in " + vocab.url + ")";
      throw IoError("vocabulary '" + vocab.name + "' is not on this machine", {},
                    "fetch it with 'bertprep vocab fetch " + vocab.name + "', or put " + vocab.file + from +
                        " into one of " +
                        joined(vocab_folders(), ", ", [](const fs::path& one) { return one.string(); }) +
                        ", or give `vocab` a file");
    }
    if (!vocab.sha256.empty() && sha256_of_file(vocab.path) != vocab.sha256) {
      throw FormatError("is not the vocabulary '" + vocab.name + "': its sha256 is not " + vocab.sha256, vocab.path,
                        "remove it, and fetch it again with 'bertprep vocab fetch " + vocab.name + "'");
    }
    return vocab.path;
  }
  throw IoError("vocabulary '" + name_or_path + "' is neither a file nor a known name", {},
                "the known names are " + joined(known_vocabs(), ", ", &KnownVocab::name));
}

void refuse_byte_pairs(const std::string& name_or_path) {
  if (!fs::exists(name_or_path) || !is_byte_pair_path(name_or_path)) return;
  throw ConfigError("is a byte-level BPE tokenizer, and this needs a WordPiece vocabulary", name_or_path,
                    "give a vocab.txt; 'bertprep sequences' and 'bertprep tokenize' take this tokenizer");
}

Vocab load_vocab(const std::string& name_or_path) {
  refuse_byte_pairs(name_or_path);
  if (is_built_in(name_or_path)) return Vocab::parse(embedded::kSamplePieces, kBuiltInVocab);
  const fs::path path = resolve_vocab(name_or_path);
  if (auto files = find_wordpiece_files(path)) return std::move(files->vocab);
  if (!fs::is_directory(path)) return Vocab::load(path);
  throw IoError("can't be read (Is a directory, without tokenizer.json, vocab.txt, or vocab.json and merges.txt)", path,
                "a file is expected here, or a tokenizer's folder");
}

std::string vocab_place(const std::string& name_or_path) {
  if (is_built_in(name_or_path)) return name_or_path + " (built in)";
  return resolve_vocab(name_or_path).string();
}

}  // namespace bertprep
