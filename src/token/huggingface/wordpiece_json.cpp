#include "token/huggingface/wordpiece_json.h"

#include <algorithm>
#include <utility>

#include "bertprep/base/error.h"
#include "token/huggingface/json_faults.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

using Pieces = std::vector<std::string>;

std::string in_quotes(std::string_view text) {
  return "'" + std::string(text) + "'";
}

const Json& required(const Json& object, std::string_view key, const std::string& where) {
  const Json* value = find_value(object, key);
  if (value == nullptr) refuse_part("no " + std::string(key), where);
  return *value;
}

// A missing flag is HuggingFace's default, true.
void require_flag(const Json& object, std::string_view key, const std::string& part, const std::string& where) {
  const Json* flag = find_value(object, key);
  if (flag != nullptr && !flag->as_bool()) refuse_part(part + " with \"" + std::string(key) + "\": false", where);
}

void require_value(const Json& object, std::string_view key, std::string_view wanted, const std::string& where) {
  const Json* value = find_value(object, key);
  if (value == nullptr) refuse_part("WordPiece without \"" + std::string(key) + "\"", where);
  if (value->text() != wanted) refuse_part("the " + std::string(key) + " " + in_quotes(value->text()), where);
}

SaidText read_normalizer(const Json& normalizer, const std::string& where) {
  const std::string type = text_of(normalizer, "type");
  if (type != "BertNormalizer") refuse_part("the normalizer " + in_quotes(type), where);
  const std::string part = "the normalizer BertNormalizer";
  require_known_keys(normalizer, {"type", "clean_text", "handle_chinese_chars", "strip_accents", "lowercase"}, part,
                     where);
  require_flag(normalizer, "clean_text", part, where);
  require_flag(normalizer, "handle_chinese_chars", part, where);
  const bool lower_case = required(normalizer, "lowercase", where).as_bool();
  const Json* accents = find_value(normalizer, "strip_accents");
  return {.lower_case = lower_case, .strip_accents = accents == nullptr ? lower_case : accents->as_bool(), .by = where};
}

void read_pre_tokenizer(const Json& pre_tokenizer, const std::string& where) {
  const std::string type = text_of(pre_tokenizer, "type");
  if (type != "BertPreTokenizer") refuse_part("the pre_tokenizer " + in_quotes(type), where);
  require_known_keys(pre_tokenizer, {"type"}, "the pre_tokenizer BertPreTokenizer", where);
}

// The text of a vocabulary's line is stripped.
void require_line(const std::string& piece, std::size_t id, const std::string& where) {
  if (strip(piece) == piece && piece.find_first_of("\r\n") == std::string::npos) return;
  throw FormatError("the piece " + in_quotes(piece) + " with the id " + std::to_string(id) +
                        " has white space at an end, or a line end",
                    where, "no text gives this piece: replace it by one like [unused1]");
}

Pieces read_vocab(const Json& vocab, const std::string& where) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 20;
  const auto& members = vocab.members();
  if (members.size() > kMost) throw FormatError("has more than " + std::to_string(kMost) + " pieces", where);
  Pieces pieces(members.size());
  std::vector<bool> taken(members.size());
  for (const auto& [piece, number] : members) {
    const std::uint64_t id = number.as_unsigned();
    if (id >= members.size()) {
      throw FormatError("the piece " + in_quotes(piece) + " has the id " + std::to_string(id) + ", and there are " +
                            std::to_string(members.size()) + " pieces",
                        where, "ids count from 0, without gaps");
    }
    if (taken[id]) {
      throw FormatError(
          "the pieces " + in_quotes(pieces[id]) + " and " + in_quotes(piece) + " have the id " + std::to_string(id),
          where, "ids count from 0, without gaps");
    }
    require_line(piece, id, where);
    taken[id] = true;
    pieces[id] = piece;
  }
  return pieces;
}

std::uint64_t id_of(const Pieces& pieces, std::string_view special, const std::string& where) {
  const auto found = std::ranges::find(pieces, special);
  if (found == pieces.end()) {
    throw FormatError("has no piece " + std::string(special), where,
                      "a BERT vocabulary contains [PAD], [UNK], [CLS], [SEP] and [MASK]");
  }
  return static_cast<std::uint64_t>(found - pieces.begin());
}

Pieces read_model(const Json& model, const std::string& where) {
  require_known_keys(model, {"type", "unk_token", "continuing_subword_prefix", "max_input_chars_per_word", "vocab"},
                     "the model WordPiece", where);
  require_value(model, "unk_token", "[UNK]", where);
  require_value(model, "continuing_subword_prefix", "##", where);
  require_value(model, "max_input_chars_per_word", "100", where);
  return read_vocab(required(model, "vocab", where), where);
}

void read_added_token(const Json& token, const Pieces& pieces, const std::string& where) {
  require_known_keys(token, {"id", "content", "single_word", "lstrip", "rstrip", "normalized", "special"},
                     "an added token", where);
  const std::string content = token.at("content").text();
  const std::string part = "the added token " + in_quotes(content);
  if (std::ranges::find(kBertPieces, content) == kBertPieces.end()) refuse_part(part, where);
  for (const char* flag : {"single_word", "lstrip", "rstrip", "normalized"}) {
    if (flag_of(token, flag)) refuse_part(part + " with \"" + flag + "\": true", where);
  }
  if (!flag_of(token, "special")) refuse_part(part + " with \"special\": false", where);
  const std::uint64_t id = id_of(pieces, content, where);
  if (token.at("id").as_unsigned() == id) return;
  throw FormatError(
      part + " has the id " + token.at("id").text() + ", and the vocabulary gives it " + std::to_string(id), where,
      "give the files of one tokenizer");
}

void read_added_tokens(const Json* tokens, const Pieces& pieces, const std::string& where) {
  std::vector<std::string> added;
  if (tokens != nullptr) {
    for (const Json& token : tokens->items()) {
      read_added_token(token, pieces, where);
      added.push_back(token.at("content").text());
    }
  }
  for (const std::string_view special : kBertPieces) {
    id_of(pieces, special, where);
    if (std::ranges::find(added, special) == added.end()) {
      refuse_part("added_tokens without the special piece " + std::string(special), where);
    }
  }
}

// "[CLS]:0 A:0 [SEP]:0"
std::string in_words(const Json& parts) {
  std::string text;
  for (const Json& part : parts.items()) {
    if (part.members().size() != 1) return "of several parts";
    const Json& what = part.members().front().second;
    text += (text.empty() ? "" : " ") + what.at("id").text() + ":" + what.at("type_id").text();
  }
  return text;
}

void require_ids(const Json& ids, const Pieces& pieces, const std::string& token, const std::string& where) {
  const std::string id = std::to_string(id_of(pieces, token, where));
  if (ids.items().size() == 1 && ids.items().front().text() == id) return;
  throw FormatError("the post_processor gives " + token + " another id than the vocabulary, " + id, where,
                    "give the files of one tokenizer");
}

void read_template(const Json& processor, const Pieces& pieces, const std::string& where) {
  require_known_keys(processor, {"type", "single", "pair", "special_tokens"}, "the post_processor TemplateProcessing",
                     where);
  constexpr std::pair<const char*, const char*> kTemplates[] = {{"single", "[CLS]:0 A:0 [SEP]:0"},
                                                                {"pair", "[CLS]:0 A:0 [SEP]:0 B:1 [SEP]:1"}};
  for (const auto& [key, wanted] : kTemplates) {
    const std::string given = in_words(processor.at(key));
    if (given != wanted) refuse_part("the \"" + std::string(key) + "\" rows " + in_quotes(given), where);
  }
  for (const char* token : {"[CLS]", "[SEP]"}) {
    require_ids(processor.at("special_tokens").at(token).at("ids"), pieces, token, where);
  }
}

void read_bert_processing(const Json& processor, const Pieces& pieces, const std::string& where) {
  require_known_keys(processor, {"type", "sep", "cls"}, "the post_processor BertProcessing", where);
  for (const auto& [key, wanted] : {std::pair{"cls", "[CLS]"}, std::pair{"sep", "[SEP]"}}) {
    const auto& given = processor.at(key).items();
    if (given.size() != 2) throw FormatError("\"" + std::string(key) + "\" is not [token, id]", where);
    if (given[0].text() != wanted) refuse_part("the " + std::string(key) + " " + in_quotes(given[0].text()), where);
    require_ids(Json::array().push(given[1]), pieces, wanted, where);
  }
}

// Without one, HuggingFace's library adds no [CLS] and [SEP] to a text. Rows have them in any case.
void read_post_processor(const Json* processor, const Pieces& pieces, const std::string& where) {
  if (processor == nullptr) return;
  const std::string type = text_of(*processor, "type");
  if (type == "TemplateProcessing") return read_template(*processor, pieces, where);
  if (type == "BertProcessing") return read_bert_processing(*processor, pieces, where);
  refuse_part("the post_processor " + in_quotes(type), where);
}

}  // namespace

bool is_wordpiece_json(const Json& json) {
  const Json* const model = json.kind() == Json::Kind::Object ? json.find("model") : nullptr;
  if (model == nullptr || model->kind() != Json::Kind::Object) return false;
  const Json* const type = find_value(*model, "type");
  if (type != nullptr) return type->kind() == Json::Kind::String && type->text() == "WordPiece";
  return model->find("max_input_chars_per_word") != nullptr && model->find("merges") == nullptr;
}

WordPieceTokenizer parse_wordpiece_json(const Json& json, const std::string& where) try {
  require_known_keys(json,
                     {"version", "truncation", "padding", "added_tokens", "normalizer", "pre_tokenizer",
                      "post_processor", "decoder", "model"},
                     "a tokenizer", where);
  if (text_of(json, "version") != "1.0") refuse_part("version " + in_quotes(text_of(json, "version")), where);
  WordPieceTokenizer tokenizer{.pieces = {}, .text = read_normalizer(required(json, "normalizer", where), where)};
  read_pre_tokenizer(required(json, "pre_tokenizer", where), where);
  tokenizer.pieces = read_model(json.at("model"), where);
  read_added_tokens(find_value(json, "added_tokens"), tokenizer.pieces, where);
  read_post_processor(find_value(json, "post_processor"), tokenizer.pieces, where);
  return tokenizer;
} catch (const FormatError& error) {
  // Errors of the JSON parser lack the file.
  if (!error.where().empty()) throw;
  throw FormatError(error.what(), where, "give a tokenizer.json of HuggingFace's tokenizers");
}

}  // namespace bertprep
