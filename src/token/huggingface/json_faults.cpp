#include "token/huggingface/json_faults.h"

#include <algorithm>

#include "bertprep/base/error.h"

namespace bertprep {

void refuse_part(const std::string& part, const std::string& where) {
  throw FormatError("asks for " + part + ", which is not supported", where,
                    "supported are the tokenizers of BERT (WordPiece) and of GPT-2, GPT-NeoX, OLMo, RoBERTa and "
                    "ModernBERT (byte-level BPE)");
}

void require_known_keys(const Json& object, std::initializer_list<std::string_view> known, const std::string& part,
                        const std::string& where) {
  for (const auto& [key, value] : object.members()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) refuse_part("\"" + key + "\" of " + part, where);
  }
}

const Json* find_value(const Json& object, std::string_view key) {
  const Json* value = object.find(key);
  return value == nullptr || value->kind() == Json::Kind::Null ? nullptr : value;
}

bool flag_of(const Json& object, std::string_view key) {
  const Json* value = find_value(object, key);
  return value != nullptr && value->as_bool();
}

std::string text_of(const Json& object, std::string_view key) {
  const Json* value = find_value(object, key);
  return value == nullptr ? std::string() : value->text();
}

}  // namespace bertprep
