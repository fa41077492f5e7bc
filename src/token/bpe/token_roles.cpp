#include "token/bpe/byte_pair_files.h"

#include <algorithm>
#include <array>

#include "bertprep/base/error.h"
#include "io/json.h"
#include "token/huggingface/json_faults.h"

namespace bertprep {
namespace {

struct Role {
  const char* key;  // of tokenizer_config.json
  std::optional<TokenId> SpecialIds::*member;
  std::array<const char*, 3> names;  // the first that is a control token is used
};

constexpr Role kRoles[] = {
    {"cls_token", &SpecialIds::cls, {"[CLS]", "<s>", nullptr}},
    {"sep_token", &SpecialIds::sep, {"[SEP]", "</s>", nullptr}},
    {"pad_token", &SpecialIds::pad, {"[PAD]", "<pad>", "<|padding|>"}},
    {"mask_token", &SpecialIds::mask, {"[MASK]", "<mask>", nullptr}},
    {"unk_token", &SpecialIds::unk, {"[UNK]", "<unk>", nullptr}},
    {"eos_token", &SpecialIds::eod, {"<|endoftext|>", "</s>", nullptr}},
};

const AddedToken* find_added(const BytePairModel& model, std::string_view content) {
  const auto found =
      std::find_if(model.added.begin(), model.added.end(), [&](const auto& one) { return one.content == content; });
  return found == model.added.end() ? nullptr : &*found;
}

// A token is its text, or an object with its text as "content".
std::string named_token(const Json& config, const char* key) {
  const Json* value = find_value(config, key);
  if (value == nullptr) return {};
  return value->kind() == Json::Kind::Object ? text_of(*value, "content") : value->text();
}

}  // namespace

void find_roles(const std::string& config, const std::string& where, BytePairModel& model) {
  const Json json = config.empty() ? Json::object() : Json::parse(config, where);
  for (const Role& role : kRoles) {
    std::optional<TokenId>& id = model.specials.*role.member;
    if (const std::string token = named_token(json, role.key); !token.empty()) {
      const auto found = std::find(model.tokens.begin(), model.tokens.end(), token);
      if (found == model.tokens.end()) {
        throw FormatError("the \"" + std::string(role.key) + "\" '" + token + "' is not in the vocabulary", where,
                          "give the files of one tokenizer");
      }
      id = static_cast<TokenId>(found - model.tokens.begin());
    }
    for (const char* name : role.names) {
      if (id || name == nullptr) break;
      if (const AddedToken* token = find_added(model, name)) id = token->id;
    }
    if (id &&
        (static_cast<std::size_t>(*id) >= model.tokens.size() || model.tokens[static_cast<std::size_t>(*id)].empty())) {
      throw FormatError("the post_processor adds the id " + std::to_string(*id) + " to texts, but no token has it",
                        where);
    }
  }
}

}  // namespace bertprep
