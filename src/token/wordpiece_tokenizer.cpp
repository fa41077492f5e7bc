#include "token/wordpiece_tokenizer.h"

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

#include "bertprep/base/error.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "token/huggingface/wordpiece_config.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTokenizerFile = "tokenizer.json";
constexpr const char* kConfigFile = "tokenizer_config.json";
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

std::string lines_of(const std::vector<std::string>& pieces) {
  std::string text;
  for (const std::string& piece : pieces) text += piece + "\n";
  return text;
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

std::string shown_name(const fs::path& path) {
  return (path.has_filename() ? path : path.parent_path()).string();
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
  return WordPieceFiles{Vocab::parse(lines_of(tokenizer.pieces), shown_name(path)), std::move(text)};
}

}  // namespace bertprep
