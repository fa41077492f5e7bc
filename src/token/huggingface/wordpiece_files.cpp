#include "token/huggingface/wordpiece_files.h"

#include <algorithm>
#include <unordered_set>

#include "bertprep/base/error.h"
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

// Those that split text as BERT's does, without "Fast".
constexpr std::array<std::string_view, 8> kClasses = {"BertTokenizer",       "DistilBertTokenizer", "ElectraTokenizer",
                                                      "MobileBertTokenizer", "ConvBertTokenizer",   "LayoutLMTokenizer",
                                                      "PreTrainedTokenizer", "TokenizersBackend"};

void read_class(const Json& json, const std::string& where) {
  std::string name = text_of(json, "tokenizer_class");
  if (name.ends_with("Fast")) name.resize(name.size() - 4);
  if (name.empty() || std::ranges::find(kClasses, name) != kClasses.end()) return;
  refuse_part("the tokenizer_class '" + text_of(json, "tokenizer_class") + "'", where);
}

void read_special_pieces(const Json& json, const std::string& where) {
  constexpr std::pair<const char*, const char*> kRoles[] = {{"pad_token", "[PAD]"},
                                                            {"unk_token", "[UNK]"},
                                                            {"cls_token", "[CLS]"},
                                                            {"sep_token", "[SEP]"},
                                                            {"mask_token", "[MASK]"}};
  for (const auto& [key, wanted] : kRoles) {
    if (find_value(json, key) == nullptr) continue;
    const std::string given = token_of(json, key);
    if (given != wanted) refuse_part("the " + std::string(key) + " '" + given + "'", where);
  }
}

void refuse_other_splitting(const Json& json, const std::string& where) {
  for (const char* key : {"tokenize_chinese_chars", "do_basic_tokenize"}) {
    const Json* flag = find_value(json, key);
    if (flag != nullptr && !flag->as_bool()) refuse_part("\"" + std::string(key) + "\": false", where);
  }
  const Json* kept = find_value(json, "never_split");
  if (kept != nullptr && !kept->items().empty()) refuse_part("\"never_split\" of some words", where);
  const Json* added = find_value(json, "added_tokens_decoder");
  if (added == nullptr) return;
  for (const auto& [id, token] : added->members()) {
    const std::string content = text_of(token, "content");
    if (std::ranges::find(kBertPieces, content) != kBertPieces.end()) continue;
    refuse_part("the added token '" + content + "'", where);
  }
}

constexpr const char* kVocabFile = "vocab.txt";

// By ascending id.
std::vector<AddedToken> special_pieces(const std::vector<std::string_view>& pieces) {
  std::vector<AddedToken> specials;
  for (const std::string_view piece : kBertPieces) {
    const auto found = std::ranges::find(pieces, piece);
    if (found == pieces.end()) {
      throw FormatError("no line is the special piece " + std::string(piece), kVocabFile);
    }
    specials.push_back(
        {.id = static_cast<TokenId>(found - pieces.begin()), .content = std::string(piece), .special = true});
  }
  std::ranges::sort(specials, {}, &AddedToken::id);
  return specials;
}

// The keys of a JSON object would collide.
void refuse_duplicates(const std::vector<std::string_view>& pieces) {
  std::unordered_set<std::string_view> seen;
  for (const std::string_view piece : pieces) {
    if (seen.insert(piece).second) continue;
    throw FormatError("duplicate piece '" + std::string(piece) + "'", kVocabFile,
                      "each line of a vocabulary must be a different piece");
  }
}

// null means: with lower case.
Json accents_json(const Normalization& cleaning) {
  return cleaning.strip_accents == cleaning.lower_case ? Json() : Json::boolean(cleaning.strip_accents);
}

Json normalizer_json(const Normalization& cleaning) {
  return Json::parse(R"({"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true})", {})
      .add("strip_accents", accents_json(cleaning))
      .add("lowercase", Json::boolean(cleaning.lower_case));
}

// A row is [CLS] A [SEP], or [CLS] A [SEP] B [SEP].
Json post_processor_json(std::span<const AddedToken> specials) {
  Json tokens = Json::object();
  for (const std::string name : {"[CLS]", "[SEP]"}) {
    const TokenId id = std::ranges::find(specials, name, &AddedToken::content)->id;
    tokens.add(name, Json::object()
                         .add("id", Json::string(name))
                         .add("ids", Json::array().push(Json::number(static_cast<std::uint64_t>(id))))
                         .add("tokens", Json::array().push(Json::string(name))));
  }
  return Json::parse(R"({
      "type": "TemplateProcessing",
      "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
                 {"SpecialToken": {"id": "[SEP]", "type_id": 0}}],
      "pair": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
               {"SpecialToken": {"id": "[SEP]", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}},
               {"SpecialToken": {"id": "[SEP]", "type_id": 1}}]})",
                     {})
      .add("special_tokens", std::move(tokens));
}

Json model_json(const std::vector<std::string_view>& pieces) {
  Json vocab = Json::object();
  for (std::size_t id = 0; id < pieces.size(); ++id) vocab.add(std::string(pieces[id]), Json::number(id));
  return Json::parse(R"({"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                         "max_input_chars_per_word": 100})",
                     {})
      .add("vocab", std::move(vocab));
}

std::string tokenizer_json(const std::vector<std::string_view>& pieces, std::span<const AddedToken> specials,
                           const Normalization& cleaning) {
  Json added = Json::array();
  for (const AddedToken& special : specials) added.push(added_token_json(special));
  return Json::parse(R"({"version": "1.0", "truncation": null, "padding": null})", {})
      .add("added_tokens", std::move(added))
      .add("normalizer", normalizer_json(cleaning))
      .add("pre_tokenizer", Json::parse(R"({"type": "BertPreTokenizer"})", {}))
      .add("post_processor", post_processor_json(specials))
      .add("decoder", Json::parse(R"({"type": "WordPiece", "prefix": "##", "cleanup": true})", {}))
      .add("model", model_json(pieces))
      .dump();
}

std::string config_json(std::span<const AddedToken> specials, const Normalization& cleaning, std::int64_t max_tokens) {
  Json config =
      Json::parse(R"({"clean_up_tokenization_spaces": true, "cls_token": "[CLS]", "do_basic_tokenize": true})", {});
  config.add("do_lower_case", Json::boolean(cleaning.lower_case)).add("mask_token", Json::string("[MASK]"));
  config.add("model_max_length", Json::number(static_cast<std::uint64_t>(max_tokens))).add("never_split", Json());
  config.add("pad_token", Json::string("[PAD]")).add("sep_token", Json::string("[SEP]"));
  config.add("strip_accents", accents_json(cleaning)).add("tokenize_chinese_chars", Json::boolean(true));
  config.add("tokenizer_class", Json::string("BertTokenizer")).add("unk_token", Json::string("[UNK]"));
  return config.add("added_tokens_decoder", decoder_json(specials)).dump();
}

std::string special_tokens_json() {
  return Json::parse(R"({"cls_token": "[CLS]", "mask_token": "[MASK]", "pad_token": "[PAD]", "sep_token": "[SEP]",
                         "unk_token": "[UNK]"})",
                     {})
      .dump();
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
  require_tokenizer(json, where);
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

SaidText parse_wordpiece_config(const Json& json, const std::string& where) try {
  read_class(json, where);
  read_special_pieces(json, where);
  refuse_other_splitting(json, where);
  SaidText text{.by = where};
  if (const Json* lower_case = find_value(json, "do_lower_case")) text.lower_case = lower_case->as_bool();
  if (const Json* accents = find_value(json, "strip_accents")) {
    text.strip_accents = accents->as_bool();
  } else {
    text.strip_accents = text.lower_case;
  }
  return text;
} catch (const FormatError& error) {
  // Errors of the JSON parser lack the file.
  if (!error.where().empty()) throw;
  throw FormatError(error.what(), where, "give a tokenizer_config.json of HuggingFace's transformers");
}

std::vector<TokenizerFile> wordpiece_files(std::string_view vocab, const Normalization& cleaning,
                                           std::int64_t max_tokens) {
  const std::vector<std::string_view> pieces = split_stripped_lines(vocab);
  refuse_duplicates(pieces);
  const std::vector<AddedToken> specials = special_pieces(pieces);
  return {{kVocabFile, std::string(vocab)},
          {kTokenizerFile, tokenizer_json(pieces, specials, cleaning)},
          {kConfigFile, config_json(specials, cleaning, max_tokens)},
          {"special_tokens_map.json", special_tokens_json()}};
}

}  // namespace bertprep
