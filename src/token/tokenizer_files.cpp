#include "token/tokenizer_files.h"

#include <algorithm>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "token/bpe/byte_pair_files.h"
#include "token/token_words.h"
#include "token/vocab_catalogue.h"
#include "unicode/code_points.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVocabFile = "vocab.txt";
constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20;

bool is_there(const fs::path& file) {
  std::error_code error;
  return fs::exists(file, error);
}

struct NamedJson {
  fs::path file;
  Json json;
};

// The WordPiece tokenizer.json that the path names.
std::optional<NamedJson> find_wordpiece_json(const fs::path& path) {
  std::error_code error;
  fs::path file = fs::is_directory(path, error) ? path / kTokenizerFile : path;
  if (file.extension() != ".json" || !fs::is_regular_file(file, error)) return std::nullopt;
  try {
    if (InputFile(file).size_bytes() > kMaxBytes) return std::nullopt;
    const std::string bytes = read_file(file);
    // Parsing takes longer than this.
    if (bytes.find("max_input_chars_per_word") == std::string::npos && bytes.find("WordPiece") == std::string::npos) {
      return std::nullopt;
    }
    Json json = Json::parse(bytes, file.string());
    if (!is_wordpiece_json(json)) return std::nullopt;
    return NamedJson{std::move(file), std::move(json)};
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool is_folder_of_pieces(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error) && is_there(path / kVocabFile) && !is_there(path / kTokenizerFile) &&
         !is_there(path / "vocab.json");
}

void require_same_pieces(const Vocab& listed, const std::vector<std::string>& pieces, const fs::path& vocab_file,
                         const fs::path& json_file) {
  const std::size_t common = std::min(listed.size(), pieces.size());
  std::size_t id = 0;
  while (id < common && listed.piece(static_cast<TokenId>(id)) == pieces[id]) ++id;
  if (id == listed.size() && id == pieces.size()) return;
  throw FormatError("has other pieces than " + json_file.string() + ", first at the id " + std::to_string(id),
                    vocab_file.string(), "give the files of one tokenizer, or one of the two by its name");
}

void require_same(const std::optional<bool>& told, const std::optional<bool>& configured, const char* what,
                  const SaidText& config, const SaidText& json) {
  if (!told || !configured || *told == *configured) return;
  throw FormatError("has " + std::string(what) + (*configured ? " true" : " false") + ", and " + json.by + " has " +
                        (*told ? "true" : "false"),
                    config.by, "give the files of one tokenizer");
}

// What both say; the configuration completes tokenizer.json.
SaidText both(SaidText json, const SaidText& config) {
  require_same(json.lower_case, config.lower_case, "do_lower_case", config, json);
  require_same(json.strip_accents, config.strip_accents, "strip_accents", config, json);
  return json.lower_case ? json : config;
}

SaidText configured_beside(const fs::path& folder) {
  const fs::path file = folder / kConfigFile;
  if (!is_there(file)) return {};
  require_no_device(file);
  return parse_wordpiece_config(read_json(file), file.string());
}

bool is_in_brackets(std::string_view piece) {
  return piece.size() > 2 && piece.starts_with('[') && piece.ends_with(']');
}

}  // namespace

bool is_wordpiece_path(const fs::path& path) {
  return is_folder_of_pieces(path) || find_wordpiece_json(path);
}

std::optional<WordPieceFiles> find_wordpiece_files(const fs::path& path) {
  if (is_folder_of_pieces(path)) {
    SaidText text = configured_beside(path);
    return WordPieceFiles{Vocab::load(path / kVocabFile), std::move(text)};
  }
  const auto found = find_wordpiece_json(path);
  if (!found) return std::nullopt;
  WordPieceTokenizer tokenizer = parse_wordpiece_json(found->json, found->file.string());
  const fs::path folder = folder_of(found->file), listed_file = folder / kVocabFile;
  SaidText text = both(std::move(tokenizer.text), configured_beside(folder));
  if (fs::is_directory(path) && is_there(listed_file)) {
    Vocab listed = Vocab::load(listed_file);
    require_same_pieces(listed, tokenizer.pieces, listed_file, found->file);
    return WordPieceFiles{std::move(listed), std::move(text)};
  }
  const fs::path shown = path.has_filename() ? path : path.parent_path();
  return WordPieceFiles{Vocab::parse(joined(tokenizer.pieces, "\n") + "\n", shown.string()), std::move(text)};
}

std::vector<TokenizerFile> huggingface_files(const TextEncoder& encoder, const TokenizerOptions& wordpiece,
                                             std::int64_t max_tokens) {
  if (const BytePairModel* model = encoder.byte_pairs()) return byte_pair_folder_files(*model, max_tokens);
  if (wordpiece.custom != nullptr) {
    throw ConfigError("the tokenizer '" + wordpiece.custom->name() + "' has no files that HuggingFace's programs read");
  }
  return wordpiece_files(encoder.wordpiece()->bytes(), normalization_of(wordpiece), max_tokens);
}

fs::path pieces_file(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error) ? path / kVocabFile : path;
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
  if (pieces.filename() != kVocabFile) return std::nullopt;
  try {
    SaidText text = configured_beside(folder_of(pieces));
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

UnreachablePieces unreachable_pieces(const Vocab& vocab, const TokenizerOptions& options) {
  const Normalization normalization = normalization_of(options);
  UnreachablePieces found;
  std::size_t shown = 0;
  for (const TokenId id : vocab.ids()) {
    std::string_view piece = vocab.piece(id);
    if (piece.empty() || is_in_brackets(piece)) continue;
    if (piece.starts_with("##") && piece.size() > 2) piece.remove_prefix(2);
    ++found.of;
    const std::u32string letters = unicode::decode(piece);
    if (normalize(letters, normalization) == letters) continue;
    ++found.pieces;
    // A word tells more than a letter.
    if (shown >= 4 || letters.size() <= shown) continue;
    shown = letters.size();
    found.example = vocab.piece(id);
  }
  return found;
}

}  // namespace bertprep
