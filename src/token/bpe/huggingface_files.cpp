#include "token/bpe/byte_pair_files.h"

#include <algorithm>
#include <optional>

namespace bertprep {
namespace {

Json text(const std::string& value) {
  return Json::string(value);
}

const std::string& token_of(const BytePairModel& model, TokenId id) {
  return model.tokens[static_cast<std::size_t>(id)];
}

TokenFlags flags_of(const AddedToken& token) {
  return {.lstrip = token.lstrip, .rstrip = token.rstrip, .normalized = token.normalized, .special = token.special};
}

// By ascending id.
std::vector<AddedToken> sorted(std::vector<AddedToken> tokens) {
  std::sort(tokens.begin(), tokens.end(), [](const auto& left, const auto& right) { return left.id < right.id; });
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
  return Json::object()
      .add("type", text("BPE"))
      .add("dropout", Json())
      .add("unk_token", Json())
      .add("continuing_subword_prefix", text(""))
      .add("end_of_word_suffix", text(""))
      .add("fuse_unk", Json::boolean(false))
      .add("byte_fallback", Json::boolean(false))
      .add("ignore_merges", Json::boolean(false))
      .add("vocab", std::move(vocab))
      .add("merges", std::move(merges));
}

// For a model read from vocab.json and merges.txt.
std::string tokenizer_json(const BytePairModel& model) {
  Json added = Json::array();
  for (const AddedToken& token : sorted(model.added)) {
    added.push(added_token_json(static_cast<std::uint64_t>(token.id), token.content, flags_of(token)));
  }
  return Json::object()
      .add("version", text("1.0"))
      .add("truncation", Json())
      .add("padding", Json())
      .add("added_tokens", std::move(added))
      .add("normalizer", Json())
      .add("pre_tokenizer", byte_level(model.add_prefix_space, true))
      .add("post_processor", byte_level(false, false))
      .add("decoder", byte_level(true, true))
      .add("model", model_json(model))
      .dump();
}

// Calls add(key, token) for each role that a token has.
template <class Add>
void for_each_role(const BytePairModel& model, const Add& add) {
  const SpecialIds& ids = model.specials;
  const std::pair<const char*, std::optional<TokenId>> roles[] = {{"cls_token", ids.cls},   {"eos_token", ids.eod},
                                                                  {"mask_token", ids.mask}, {"pad_token", ids.pad},
                                                                  {"sep_token", ids.sep},   {"unk_token", ids.unk}};
  for (const auto& [key, id] : roles) {
    if (id) add(key, token_of(model, *id));
  }
}

std::string config_json(const BytePairModel& model, std::int64_t max_tokens) {
  Json decoder = Json::object();
  for (const AddedToken& token : sorted(model.added)) {
    decoder.add(std::to_string(token.id), decoder_token_json(token.content, flags_of(token)));
  }
  Json config = Json::object();
  config.add("add_prefix_space", Json::boolean(model.add_prefix_space))
      .add("added_tokens_decoder", std::move(decoder))
      .add("clean_up_tokenization_spaces", Json::boolean(false))
      .add("model_max_length", Json::number(static_cast<std::uint64_t>(max_tokens)))
      .add("tokenizer_class", text("PreTrainedTokenizerFast"));
  for_each_role(model, [&](const char* key, const std::string& token) { config.add(key, text(token)); });
  return config.dump();
}

std::string special_tokens_json(const BytePairModel& model) {
  Json map = Json::object();
  for_each_role(model, [&](const char* key, const std::string& token) { map.add(key, text(token)); });
  return map.dump();
}

}  // namespace

std::vector<TokenizerFile> byte_pair_folder_files(const BytePairModel& model, std::int64_t max_tokens) {
  std::vector<TokenizerFile> files;
  files.push_back({"tokenizer.json", model.tokenizer_json.empty() ? tokenizer_json(model) : model.tokenizer_json});
  files.push_back(
      {"tokenizer_config.json", model.config_json.empty() ? config_json(model, max_tokens) : model.config_json});
  files.push_back({"special_tokens_map.json", special_tokens_json(model)});
  if (model.tokenizer_json.empty()) {
    files.push_back({"vocab.json", model.vocab_json});
    files.push_back({"merges.txt", model.merges_txt});
  }
  return files;
}

}  // namespace bertprep
