#include "token/bpe/byte_pair_files.h"

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/input_file.h"
#include "io/json.h"
#include "token/huggingface/json_faults.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTokenizerFile = "tokenizer.json";
constexpr const char* kVocabFile = "vocab.json";
constexpr const char* kMergesFile = "merges.txt";
constexpr const char* kConfigFile = "tokenizer_config.json";
constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20;

NamedText read_text(const fs::path& file) {
  require_no_device(file);
  if (InputFile(file).size_bytes() > kMaxBytes) {
    throw FormatError("this is not a tokenizer: it has more than " + std::to_string(kMaxBytes >> 20) + " MiB",
                      file.string());
  }
  NamedText text{read_file(file), file.string()};
  require_valid_utf8(text.bytes, text.where);
  return text;
}

// A plain vocabulary may have tokens of these names, with numbers.
bool is_whole_tokenizer(const Json& json) {
  if (json.kind() != Json::Kind::Object) return false;
  const Json *model = json.find("model"), *added = json.find("added_tokens");
  return (model != nullptr && model->kind() == Json::Kind::Object) ||
         (added != nullptr && added->kind() == Json::Kind::Array);
}

BytePairModel read_pair(const fs::path& vocab_file, const fs::path& merges_file) {
  for (const fs::path& file : {vocab_file, merges_file}) {
    if (fs::exists(file)) continue;
    throw IoError("no such file", file.string(), "vocab.json and merges.txt must be in one folder");
  }
  NamedText vocab = read_text(vocab_file), merges = read_text(merges_file);
  BytePairModel model = parse_vocab_and_merges(vocab, merges);
  model.sha256 = sha256_of(vocab.bytes + merges.bytes);
  model.vocab_json = std::move(vocab.bytes);
  model.merges_txt = std::move(merges.bytes);
  return model;
}

BytePairModel read_whole(NamedText text) {
  BytePairModel model = parse_tokenizer_json(text.bytes, text.where);
  model.sha256 = sha256_of(text.bytes);
  model.tokenizer_json = std::move(text.bytes);
  return model;
}

BytePairModel read_folder(const fs::path& folder) {
  if (fs::exists(folder / kTokenizerFile)) return read_whole(read_text(folder / kTokenizerFile));
  if (fs::exists(folder / kVocabFile)) return read_pair(folder / kVocabFile, folder / kMergesFile);
  const std::string hint =
      fs::exists(folder / "vocab.txt") ? "give the vocab.txt in it" : "give a tokenizer's folder or file";
  throw IoError("has neither tokenizer.json nor vocab.json and merges.txt", folder.string(), hint);
}

BytePairModel read_one_file(const fs::path& file, const fs::path& folder) {
  if (file.filename() == kMergesFile) return read_pair(folder / kVocabFile, file);
  NamedText text = read_text(file);
  if (file.filename() == kTokenizerFile || is_whole_tokenizer(Json::parse(text.bytes, text.where)))
    return read_whole(std::move(text));
  return read_pair(file, folder / kMergesFile);
}

}  // namespace

BytePairModel read_byte_pairs(const fs::path& path) {
  const bool is_folder = fs::is_directory(path);
  const fs::path folder = is_folder ? path : path.parent_path();
  BytePairModel model = is_folder ? read_folder(path) : read_one_file(path, folder);
  model.name = (is_folder && !path.has_filename() ? path.parent_path() : path).filename().string();
  const fs::path config = folder / kConfigFile;
  if (fs::exists(config)) {
    model.config_json = read_text(config).bytes;
    // tokenizer.json has it.
    if (model.tokenizer_json.empty()) {
      model.add_prefix_space = flag_of(Json::parse(model.config_json, config.string()), "add_prefix_space");
    }
  }
  find_roles(model.config_json, config.string(), model);
  return model;
}

}  // namespace bertprep
