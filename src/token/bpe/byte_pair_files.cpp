#include "token/bpe/byte_pair_files.h"

#include <algorithm>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/input_file.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kControlTokens[] = {"<|endoftext|>", "<s>", "<pad>", "</s>", "<unk>", "<mask>"};

TokenId id_of(const Json& number, const std::string& where) {
  const std::uint64_t id = number.as_unsigned();
  if (id > 0x7FFFFFFF) throw FormatError("the id " + number.text() + " is too large", where);
  return static_cast<TokenId>(id);
}

void read_vocab(const NamedText& vocab, TokenIds& ids) {
  const Json json = Json::parse(vocab.bytes, vocab.where);
  if (json.kind() != Json::Kind::Object) throw FormatError("is not a JSON object", vocab.where);
  for (const auto& [token, id] : json.members()) {
    if (id.kind() != Json::Kind::Number) {
      throw FormatError("the id of '" + token + "' is not a number", vocab.where, "give {\"token\": id, ...}");
    }
    ids.add(token, id_of(id, vocab.where), vocab.where);
  }
}

void read_merges(const NamedText& merges, const TokenIds& ids, std::vector<Merge>& out) {
  const std::string_view text = merges.bytes;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with("#version") || (line.empty() && begin >= text.size())) continue;
    const std::string where = merges.where + ":" + std::to_string(number);
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos || line.find(' ', blank + 1) != std::string_view::npos) {
      throw FormatError("is not two tokens with a blank between them", where, "give the merges.txt of a BPE tokenizer");
    }
    out.push_back(merge_of(std::string(line.substr(0, blank)), std::string(line.substr(blank + 1)), ids, where));
  }
}

struct Role {
  const char* key;  // of tokenizer_config.json
  std::optional<TokenId> SpecialIds::*member;
  std::array<const char*, 3> names;  // the first that is a control token is used
};

// In the order in which they are written.
constexpr Role kRoles[] = {
    {"cls_token", &SpecialIds::cls, {"[CLS]", "<s>", nullptr}},
    {"eos_token", &SpecialIds::eod, {"<|endoftext|>", "</s>", nullptr}},
    {"mask_token", &SpecialIds::mask, {"[MASK]", "<mask>", nullptr}},
    {"pad_token", &SpecialIds::pad, {"[PAD]", "<pad>", "<|padding|>"}},
    {"sep_token", &SpecialIds::sep, {"[SEP]", "</s>", nullptr}},
    {"unk_token", &SpecialIds::unk, {"[UNK]", "<unk>", nullptr}},
};

void read_normalizer(const Json* normalizer, const std::string& where, BytePairModel& model) {
  if (normalizer == nullptr) return;
  const std::string type = text_of(*normalizer, "type");
  if (type != "NFC") refuse_part("the normalizer '" + type + "'", where);
  require_known_keys(*normalizer, {"type"}, "the normalizer NFC", where);
  model.nfc = true;
}

void read_pre_tokenizer(const Json* pre_tokenizer, const std::string& where, BytePairModel& model) {
  if (pre_tokenizer == nullptr) refuse_part("no pre_tokenizer", where);
  const std::string type = text_of(*pre_tokenizer, "type");
  if (type != "ByteLevel") refuse_part("the pre_tokenizer '" + type + "'", where);
  require_known_keys(*pre_tokenizer, {"type", "add_prefix_space", "trim_offsets", "use_regex"},
                     "the pre_tokenizer ByteLevel", where);
  const Json* use_regex = find_value(*pre_tokenizer, "use_regex");
  if (use_regex != nullptr && !use_regex->as_bool()) {
    refuse_part("the pre_tokenizer ByteLevel with \"use_regex\": false", where);
  }
  model.add_prefix_space = flag_of(*pre_tokenizer, "add_prefix_space");
}

// Reads the ids before and after the text.
void read_template(const Json& processor, const std::string& where, SpecialIds& specials) {
  require_known_keys(processor, {"type", "single", "pair", "special_tokens"}, "the post_processor TemplateProcessing",
                     where);
  bool has_seen_text = false;
  for (const Json& part : processor.at("single").items()) {
    const Json* special = part.find("SpecialToken");
    if (special == nullptr) {
      has_seen_text = true;
      continue;
    }
    const Json& ids = processor.at("special_tokens").at(special->at("id").text()).at("ids");
    if (ids.items().size() != 1)
      refuse_part("a special token of " + std::to_string(ids.items().size()) + " ids", where);
    (has_seen_text ? specials.sep : specials.cls) = id_of(ids.items().front(), where);
  }
}

void read_pair(const Json& processor, std::string_view key, const std::string& where, std::optional<TokenId>& role) {
  const auto& text_and_id = processor.at(key).items();
  if (text_and_id.size() != 2) throw FormatError("\"" + std::string(key) + "\" is not [token, id]", where);
  role = id_of(text_and_id[1], where);
}

// No post-processor changes the ids of a text; some add ids around them.
void read_post_processor(const Json* processor, const std::string& where, SpecialIds& specials) {
  if (processor == nullptr) return;
  const std::string type = text_of(*processor, "type");
  if (type == "ByteLevel") return;
  if (type == "TemplateProcessing") return read_template(*processor, where, specials);
  if (type == "RobertaProcessing" || type == "BertProcessing") {
    read_pair(*processor, "cls", where, specials.cls);
    read_pair(*processor, "sep", where, specials.sep);
    return;
  }
  if (type != "Sequence") refuse_part("the post_processor '" + type + "'", where);
  for (const Json& one : processor->at("processors").items()) read_post_processor(&one, where, specials);
}

std::pair<std::string, std::string> halves_of(const Json& merge, const std::string& where) {
  if (merge.kind() == Json::Kind::Array) {
    if (merge.items().size() == 2) return {merge.items()[0].text(), merge.items()[1].text()};
  } else if (const std::string& both = merge.text(); std::count(both.begin(), both.end(), ' ') == 1) {
    const std::size_t blank = both.find(' ');
    return {both.substr(0, blank), both.substr(blank + 1)};
  }
  throw FormatError("is not two tokens", where, "a merge is \"a b\" or [\"a\", \"b\"]");
}

void read_model(const Json& json, const std::string& where, TokenIds& ids, BytePairModel& model) {
  const std::string type = text_of(json, "type");
  if (type == "WordPiece") {
    throw FormatError("is a WordPiece tokenizer", where, "give the vocab.txt that belongs to it");
  }
  // Old files have no type.
  if (type != "BPE" && !(type.empty() && json.find("merges") != nullptr)) {
    refuse_part("a model of type '" + type + "'", where);
  }
  require_known_keys(json,
                     {"type", "dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix", "fuse_unk",
                      "byte_fallback", "ignore_merges", "vocab", "merges"},
                     "the model BPE", where);
  if (find_value(json, "dropout") != nullptr) refuse_part("BPE with dropout", where);
  for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"}) {
    if (!text_of(json, key).empty()) refuse_part("BPE with a \"" + std::string(key) + "\"", where);
  }
  for (const char* key : {"byte_fallback", "ignore_merges"}) {
    if (flag_of(json, key)) refuse_part("BPE with \"" + std::string(key) + "\": true", where);
  }
  for (const auto& [token, id] : json.at("vocab").members()) ids.add(token, id_of(id, where), where);
  model.vocab_entries = ids.size();
  std::size_t number = 0;
  for (const Json& merge : json.at("merges").items()) {
    const std::string place = where + ": merge " + std::to_string(++number);
    const auto [left, right] = halves_of(merge, place);
    model.merges.push_back(merge_of(left, right, ids, place));
  }
}

// HuggingFace's library takes the ids of added tokens from the vocabulary, else numbers them after it, ignoring those
// in the file: a file with other ids is refused.
void read_added_tokens(const Json* tokens, const std::string& where, TokenIds& ids, BytePairModel& model) {
  if (tokens == nullptr) return;
  auto next = static_cast<TokenId>(model.vocab_entries);
  for (const Json& token : tokens->items()) {
    require_known_keys(token, {"id", "content", "single_word", "lstrip", "rstrip", "normalized", "special"},
                       "an added token", where);
    AddedToken added{.id = id_of(token.at("id"), where),
                     .content = token.at("content").text(),
                     .lstrip = flag_of(token, "lstrip"),
                     .rstrip = flag_of(token, "rstrip"),
                     .normalized = flag_of(token, "normalized"),
                     .special = flag_of(token, "special")};
    if (flag_of(token, "single_word")) {
      refuse_part("the added token '" + added.content + "' with \"single_word\": true", where);
    }
    const TokenId* in_vocab = ids.find(added.content);
    if (in_vocab == nullptr) ids.add(added.content, added.id, where);
    if (added.id != (in_vocab != nullptr ? *in_vocab : next++)) {
      throw FormatError("the added token '" + added.content + "' has the id " + std::to_string(added.id) +
                            ", and HuggingFace's library gives it " +
                            std::to_string(in_vocab != nullptr ? *in_vocab : next - 1),
                        where, "give added tokens the ids after those of the vocabulary, in order");
    }
    model.added.push_back(std::move(added));
  }
}

BytePairModel read_tokenizer(const Json& json, const std::string& where) {
  require_tokenizer(json, where);
  BytePairModel model;
  TokenIds ids;
  const Json* const given = find_value(json, "model");
  if (given == nullptr) {
    throw FormatError("has no \"model\", which holds the tokens and merges", where,
                      "give a whole tokenizer.json, as HuggingFace's save_pretrained() writes it");
  }
  read_model(*given, where, ids, model);
  read_normalizer(find_value(json, "normalizer"), where, model);
  read_pre_tokenizer(find_value(json, "pre_tokenizer"), where, model);
  read_post_processor(find_value(json, "post_processor"), where, model.specials);
  read_added_tokens(find_value(json, "added_tokens"), where, ids, model);
  model.tokens = ids.tokens();
  check_model(model, ids, where);
  return model;
}

Json text(const std::string& value) {
  return Json::string(value);
}

const std::string& token_of(const BytePairModel& model, TokenId id) {
  return model.tokens[static_cast<std::size_t>(id)];
}

// By ascending id.
std::vector<AddedToken> sorted(std::vector<AddedToken> tokens) {
  std::ranges::sort(tokens, {}, &AddedToken::id);
  return tokens;
}

Json byte_level(bool add_prefix_space, bool trim_offsets) {
  return Json::object()
      .add("type", text("ByteLevel"))
      .add("add_prefix_space", Json::boolean(add_prefix_space))
      .add("trim_offsets", Json::boolean(trim_offsets))
      .add("use_regex", Json::boolean(true));
}

Json model_json(const BytePairModel& model) {
  Json vocab = Json::object(), merges = Json::array();
  for (std::size_t id = 0; id < model.tokens.size(); ++id) {
    if (!model.tokens[id].empty()) vocab.add(model.tokens[id], Json::number(id));
  }
  for (const Merge& merge : model.merges) {
    merges.push(text(token_of(model, merge.left) + " " + token_of(model, merge.right)));
  }
  return Json::parse(R"({"type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": "",
                         "end_of_word_suffix": "", "fuse_unk": false, "byte_fallback": false,
                         "ignore_merges": false})",
                     {})
      .add("vocab", std::move(vocab))
      .add("merges", std::move(merges));
}

// For a model read from vocab.json and merges.txt.
std::string tokenizer_json(const BytePairModel& model) {
  Json added = Json::array();
  for (const AddedToken& token : sorted(model.added)) added.push(added_token_json(token));
  return Json::parse(R"({"version": "1.0", "truncation": null, "padding": null})", {})
      .add("added_tokens", std::move(added))
      .add("normalizer", Json())
      .add("pre_tokenizer", byte_level(model.add_prefix_space, true))
      .add("post_processor", byte_level(false, false))
      .add("decoder", byte_level(true, true))
      .add("model", model_json(model))
      .dump();
}

// With the token of each role that has one.
std::string with_roles(const BytePairModel& model, Json json) {
  for (const Role& role : kRoles) {
    if (const auto& id = model.specials.*role.member) json.add(role.key, text(token_of(model, *id)));
  }
  return json.dump();
}

std::string config_json(const BytePairModel& model, std::int64_t max_tokens) {
  Json config = Json::object();
  config.add("add_prefix_space", Json::boolean(model.add_prefix_space))
      .add("added_tokens_decoder", decoder_json(sorted(model.added)))
      .add("clean_up_tokenization_spaces", Json::boolean(false))
      .add("model_max_length", Json::number(static_cast<std::uint64_t>(max_tokens)))
      .add("tokenizer_class", text("PreTrainedTokenizerFast"));
  return with_roles(model, std::move(config));
}

constexpr const char* kVocabFile = "vocab.json";
constexpr const char* kMergesFile = "merges.txt";
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

BytePairModel read_vocab_and_merges(const fs::path& vocab_file, const fs::path& merges_file) {
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
  if (fs::exists(folder / kVocabFile)) return read_vocab_and_merges(folder / kVocabFile, folder / kMergesFile);
  const std::string hint =
      fs::exists(folder / "vocab.txt") ? "give the vocab.txt in it" : "give a tokenizer's folder or file";
  throw IoError("has neither tokenizer.json nor vocab.json and merges.txt", folder.string(), hint);
}

BytePairModel read_one_file(const fs::path& file, const fs::path& folder) {
  if (file.filename() == kMergesFile) return read_vocab_and_merges(folder / kVocabFile, file);
  NamedText text = read_text(file);
  if (file.filename() == kTokenizerFile || is_whole_tokenizer(Json::parse(text.bytes, text.where)))
    return read_whole(std::move(text));
  return read_vocab_and_merges(file, folder / kMergesFile);
}

}  // namespace

BytePairModel parse_vocab_and_merges(const NamedText& vocab, const NamedText& merges) {
  BytePairModel model;
  TokenIds ids;
  read_vocab(vocab, ids);
  read_merges(merges, ids, model.merges);
  model.vocab_entries = ids.size();
  model.tokens = ids.tokens();
  for (const char* token : kControlTokens) {
    const TokenId* id = ids.find(token);
    if (id == nullptr) continue;
    model.added.push_back({.id = *id,
                           .content = token,
                           .lstrip = std::string_view(token) == "<mask>",
                           .rstrip = false,
                           .normalized = true,
                           .special = true});
  }
  check_model(model, ids, vocab.where);
  return model;
}

void find_roles(const std::string& config, const std::string& where, BytePairModel& model) {
  const Json json = config.empty() ? Json::object() : Json::parse(config, where);
  for (const Role& role : kRoles) {
    std::optional<TokenId>& id = model.specials.*role.member;
    if (const std::string token = token_of(json, role.key); !token.empty()) {
      const auto found = std::find(model.tokens.begin(), model.tokens.end(), token);
      if (found == model.tokens.end()) {
        throw FormatError("the \"" + std::string(role.key) + "\" '" + token + "' is not in the vocabulary", where,
                          "give the files of one tokenizer");
      }
      id = static_cast<TokenId>(found - model.tokens.begin());
    }
    for (const char* name : role.names) {
      if (id || name == nullptr) break;
      const auto token = std::ranges::find(model.added, name, &AddedToken::content);
      if (token != model.added.end()) id = token->id;
    }
    if (id &&
        (static_cast<std::size_t>(*id) >= model.tokens.size() || model.tokens[static_cast<std::size_t>(*id)].empty())) {
      throw FormatError("the post_processor adds the id " + std::to_string(*id) + " to texts, but no token has it",
                        where);
    }
  }
}

BytePairModel parse_tokenizer_json(const std::string& bytes, const std::string& where) {
  const Json json = Json::parse(bytes, where);
  try {
    return read_tokenizer(json, where);
  } catch (const FormatError& error) {
    // Errors of the JSON parser lack the file.
    if (!error.where().empty()) throw;
    throw FormatError(error.what(), where, "give a tokenizer.json of HuggingFace's tokenizers");
  }
}

std::vector<TokenizerFile> byte_pair_folder_files(const BytePairModel& model, std::int64_t max_tokens) {
  const bool is_whole = !model.tokenizer_json.empty();
  std::vector<TokenizerFile> files{
      {kTokenizerFile, is_whole ? model.tokenizer_json : tokenizer_json(model)},
      {kConfigFile, model.config_json.empty() ? config_json(model, max_tokens) : model.config_json},
      {"special_tokens_map.json", with_roles(model, Json::object())}};
  if (!is_whole) files.insert(files.end(), {{kVocabFile, model.vocab_json}, {kMergesFile, model.merges_txt}});
  return files;
}

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
