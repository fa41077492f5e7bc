#include "token/bpe/byte_pair_files.h"

#include <algorithm>

#include "bertprep/base/error.h"
#include "io/json.h"
#include "token/huggingface/json_faults.h"

namespace bertprep {
namespace {

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

TokenId id_of(const Json& number, const std::string& where) {
  const std::uint64_t id = number.as_unsigned();
  if (id > 0x7FFFFFFF) throw FormatError("the id " + number.text() + " is too large", where);
  return static_cast<TokenId>(id);
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
  require_known_keys(json,
                     {"version", "truncation", "padding", "added_tokens", "normalizer", "pre_tokenizer",
                      "post_processor", "decoder", "model"},
                     "a tokenizer", where);
  if (text_of(json, "version") != "1.0") refuse_part("version '" + text_of(json, "version") + "'", where);
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

}  // namespace

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

}  // namespace bertprep
