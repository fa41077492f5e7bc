#include "token/said_text.h"

#include <system_error>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/folder.h"
#include "io/json.h"
#include "token/huggingface/wordpiece_config.h"
#include "token/token_words.h"
#include "token/vocab_catalogue.h"
#include "token/wordpiece_tokenizer.h"

namespace bertprep {

namespace fs = std::filesystem;

namespace {

constexpr const char* kPiecesName = "vocab.txt";

}  // namespace

fs::path pieces_file(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error) ? path / kPiecesName : path;
}

std::optional<SaidText> text_of_files(const std::string& name_or_path, std::string sha256) {
  if (auto files = find_wordpiece_files(name_or_path)) {
    if (files->text.lower_case) return std::move(files->text);
    sha256 = files->vocab.sha256();
  }
  const fs::path file = pieces_file(name_or_path);
  std::error_code error;
  const bool is_file = fs::is_regular_file(file, error);
  if (sha256.empty() && is_file) sha256 = sha256_of_file(file);
  for (const KnownVocab& known : known_vocabs()) {
    const bool is_meant = (!is_file && known.is_called(name_or_path)) || (!sha256.empty() && known.sha256 == sha256);
    if (is_meant) return SaidText{.lower_case = !known.cased};
  }
  return std::nullopt;
}

std::optional<SaidText> configured_text(const fs::path& pieces) {
  const fs::path config = folder_of(pieces) / "tokenizer_config.json";
  std::error_code error;
  if (pieces.filename() != kPiecesName || !fs::is_regular_file(config, error)) return std::nullopt;
  try {
    SaidText text = parse_wordpiece_config(read_json(config), config.string());
    return text.lower_case ? std::optional(std::move(text)) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

void require_said_text(const std::string& vocabulary, const SaidText& said, const TokenizerOptions& options) {
  if (options.custom != nullptr) return;
  const std::string vocab = "the vocabulary '" + vocabulary + "' ";
  const std::string by = said.by.empty() ? "" : " (" + said.by + ")";
  if (*said.lower_case && !options.lower_case) {
    throw ConfigError(vocab + "is in lower case" + by + ", and `lower_case` false keeps the capitals of the text", {},
                      "leave `lower_case` false out, or give a cased vocabulary");
  }
  if (!*said.lower_case && options.lower_case) {
    throw ConfigError(vocab + "is cased" + by + ", and the text is turned into lower case (`lower_case`)", {},
                      "give `lower_case` false, or a vocabulary in lower case");
  }
  const bool strips = normalization_of(options).strip_accents;
  if (!said.strip_accents || *said.strip_accents == strips) return;
  throw ConfigError(vocab + (strips ? "has accents" : "has no accents") + by + ", and the text " +
                        (strips ? "loses them" : "keeps them"),
                    {}, strips ? "give `strip_accents` no" : "give `strip_accents` yes");
}

TokenizerOptions options_of_said_text(const SaidText& said, TokenizerOptions options) {
  options.lower_case = *said.lower_case;
  if (!said.strip_accents) return options;
  options.strip_accents = *said.strip_accents == options.lower_case ? AccentStripping::kAuto
                          : *said.strip_accents                     ? AccentStripping::kYes
                                                                    : AccentStripping::kNo;
  return options;
}

}  // namespace bertprep
