#include "token/huggingface/wordpiece_config.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "bertprep/base/error.h"
#include "token/huggingface/json_faults.h"

namespace bertprep {
namespace {

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

// A token is its text, or an object with its text as "content".
void read_special_pieces(const Json& json, const std::string& where) {
  constexpr std::pair<const char*, const char*> kRoles[] = {{"pad_token", "[PAD]"},
                                                            {"unk_token", "[UNK]"},
                                                            {"cls_token", "[CLS]"},
                                                            {"sep_token", "[SEP]"},
                                                            {"mask_token", "[MASK]"}};
  for (const auto& [key, wanted] : kRoles) {
    const Json* value = find_value(json, key);
    if (value == nullptr) continue;
    const std::string given = value->kind() == Json::Kind::Object ? text_of(*value, "content") : value->text();
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

}  // namespace

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

}  // namespace bertprep
