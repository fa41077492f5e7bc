#include "token/bpe/byte_pair_files.h"

#include <gmock/gmock.h>

#include "bertprep/base/error.h"
#include "io/json.h"
#include "support/thrown.h"

namespace bertprep {
namespace {

using testing::HasSubstr;

std::string vocabulary() {
  Json json = Json::object();
  std::uint64_t id = 0;
  for (const std::string& letter : byte_letters()) json.add(letter, Json::number(id++));
  return json.add("ab", Json::number(256)).dump_line();
}

// A tokenizer.json with some members replaced; a member of the model is named "model.KEY".
std::string tokenizer(const std::vector<std::pair<std::string, std::string>>& changes = {}) {
  std::vector<std::pair<std::string, std::string>> top = {
      {"version", "\"1.0\""}, {"added_tokens", "[]"}, {"pre_tokenizer", "{\"type\": \"ByteLevel\"}"}};
  std::vector<std::pair<std::string, std::string>> model = {
      {"type", "\"BPE\""}, {"vocab", vocabulary()}, {"merges", "[\"a b\"]"}};
  for (const auto& [key, value] : changes) {
    const bool of_model = key.starts_with("model.");
    auto& members = of_model ? model : top;
    const std::string name = of_model ? key.substr(6) : key;
    std::erase_if(members, [&](const auto& member) { return member.first == name; });
    if (!value.empty()) members.emplace_back(name, value);
  }
  const auto object = [](const auto& members) {
    std::string text = "{";
    for (const auto& [key, value] : members) text += (text == "{" ? "\"" : ", \"") + key + "\": " + value;
    return text + "}";
  };
  top.emplace_back("model", object(model));
  return object(top);
}

std::string error_of(const std::string& bytes) {
  return test::thrown_by<FormatError>([&] { parse_tokenizer_json(bytes, "t.json"); });
}

std::string refusal(const std::string& key, const std::string& value) {
  return error_of(tokenizer({{key, value}}));
}

TEST(TokenizerJson, IsRead) {
  const BytePairModel model = parse_tokenizer_json(
      tokenizer({{"normalizer", "{\"type\": \"NFC\"}"},
                 {"pre_tokenizer", "{\"type\": \"ByteLevel\", \"add_prefix_space\": true, \"use_regex\": true}"},
                 {"model.merges", "[[\"a\", \"b\"]]"},
                 {"added_tokens",
                  "[{\"id\": 257, \"content\": \"<x>\", \"lstrip\": true, \"special\": true},"
                  " {\"id\": 97, \"content\": \"a\"}]"}}),
      "t.json");
  EXPECT_TRUE(model.nfc);
  EXPECT_TRUE(model.add_prefix_space);
  ASSERT_EQ(model.merges.size(), 1U);
  EXPECT_EQ(model.merges[0].merged, 256);
  EXPECT_EQ(model.vocab_entries, 257U);
  EXPECT_EQ(model.tokens.size(), 258U);
  ASSERT_EQ(model.added.size(), 2U);
  EXPECT_TRUE(model.added[0].lstrip && model.added[0].special && !model.added[0].rstrip);
}

TEST(TokenizerJson, RefusesUnknownFeaturesByName) {
  EXPECT_EQ(error_of(tokenizer()), "nothing thrown");
  EXPECT_THAT(refusal("normalizer", "{\"type\": \"Lowercase\"}"),
              HasSubstr("t.json: asks for the normalizer 'Lowercase', which is not supported; supported are"));
  EXPECT_THAT(refusal("pre_tokenizer", "{\"type\": \"Whitespace\"}"), HasSubstr("the pre_tokenizer 'Whitespace'"));
  EXPECT_THAT(refusal("pre_tokenizer", ""), HasSubstr("no pre_tokenizer"));
  EXPECT_THAT(refusal("pre_tokenizer", "{\"type\": \"ByteLevel\", \"use_regex\": false}"),
              HasSubstr("the pre_tokenizer ByteLevel with \"use_regex\": false"));
  EXPECT_THAT(refusal("pre_tokenizer", "{\"type\": \"ByteLevel\", \"odd\": 1}"),
              HasSubstr("\"odd\" of the pre_tokenizer ByteLevel"));
  EXPECT_THAT(refusal("post_processor", "{\"type\": \"Odd\"}"), HasSubstr("the post_processor 'Odd'"));
  EXPECT_THAT(refusal("extra", "1"), HasSubstr("\"extra\" of a tokenizer"));
  EXPECT_THAT(refusal("version", "\"2.0\""), HasSubstr("version '2.0'"));
  EXPECT_THAT(refusal("model.type", "\"Unigram\""), HasSubstr("a model of type 'Unigram'"));
  EXPECT_THAT(refusal("model.type", "\"WordPiece\""), HasSubstr("is a WordPiece tokenizer; give the vocab.txt"));
  EXPECT_THAT(refusal("model.dropout", "0.1"), HasSubstr("BPE with dropout"));
  EXPECT_THAT(refusal("model.ignore_merges", "true"), HasSubstr("BPE with \"ignore_merges\": true"));
  EXPECT_THAT(refusal("model.end_of_word_suffix", "\"</w>\""), HasSubstr("BPE with a \"end_of_word_suffix\""));
  EXPECT_THAT(refusal("added_tokens", "[{\"id\": 257, \"content\": \"<x>\", \"single_word\": true}]"),
              HasSubstr("the added token '<x>' with \"single_word\": true"));
}

TEST(TokenizerJson, FaultsAreNamed) {
  EXPECT_THAT(error_of("{"), HasSubstr("t.json"));
  EXPECT_THAT(error_of("{\"version\": \"1.0\"}"), HasSubstr("t.json: has no \"model\", which holds the tokens"));
  EXPECT_THAT(refusal("model.merges", "[\"a b\", \"ab\"]"), HasSubstr("t.json: merge 2: is not two tokens"));
  EXPECT_THAT(refusal("model.merges", "[\"a b\", \"a c\"]"), HasSubstr("merge 2: merges 'a' and 'c', but"));
  EXPECT_THAT(refusal("model.merges", ""), HasSubstr("\"merges\""));
  EXPECT_THAT(refusal("added_tokens", "[{\"id\": 300, \"content\": \"<x>\"}]"),
              HasSubstr("'<x>' has the id 300, and HuggingFace's library gives it 257"));
  EXPECT_THAT(refusal("added_tokens", "[{\"id\": 5, \"content\": \"ab\"}]"),
              HasSubstr("'ab' has the id 5, and HuggingFace's library gives it 256"));
}

class Roles : public testing::Test {
 protected:
  static SpecialIds roles(const std::string& post_processor, const std::string& config) {
    BytePairModel model =
        parse_tokenizer_json(tokenizer({{"post_processor", post_processor},
                                        {"added_tokens",
                                         "[{\"id\": 257, \"content\": \"[CLS]\", \"special\": true},"
                                         " {\"id\": 258, \"content\": \"</s>\", \"special\": true},"
                                         " {\"id\": 259, \"content\": \"<|padding|>\", \"special\": true}]"}}),
                             "t.json");
    find_roles(config, "c.json", model);
    return model.specials;
  }
};

TEST_F(Roles, ByName) {
  EXPECT_EQ(roles("null", ""), (SpecialIds{.cls = 257, .sep = 258, .pad = 259, .mask = {}, .unk = {}, .eod = 258}));
}

TEST_F(Roles, ByThePostProcessor) {
  const SpecialIds ids = roles(
      "{\"type\": \"Sequence\", \"processors\": [{\"type\": \"ByteLevel\"}, {\"type\": \"TemplateProcessing\", "
      "\"single\": [{\"SpecialToken\": {\"id\": \"x\", \"type_id\": 0}}, {\"Sequence\": {\"id\": \"A\", \"type_id\": "
      "0}}, {\"SpecialToken\": {\"id\": \"y\", \"type_id\": 0}}], \"pair\": [], \"special_tokens\": {\"x\": {\"id\": "
      "\"x\", \"ids\": [258], \"tokens\": [\"x\"]}, \"y\": {\"id\": \"y\", \"ids\": [259], \"tokens\": [\"y\"]}}}]}",
      "");
  EXPECT_EQ(ids.cls, 258);
  EXPECT_EQ(ids.sep, 259);
  EXPECT_EQ(roles("{\"type\": \"RobertaProcessing\", \"sep\": [\"</s>\", 258], \"cls\": [\"</s>\", 258]}", "").cls,
            258);
  EXPECT_THROW(roles("{\"type\": \"BertProcessing\", \"sep\": [\"x\", 900], \"cls\": [\"</s>\", 258]}", ""),
               FormatError);
}

TEST_F(Roles, ByTheConfiguration) {
  const SpecialIds ids = roles("null",
                               "{\"eos_token\": \"<|padding|>\", \"cls_token\": {\"content\": \"ab\"}, "
                               "\"pad_token\": null}");
  EXPECT_EQ(ids.eod, 259);
  EXPECT_EQ(ids.cls, 256);
  EXPECT_EQ(ids.pad, 259);
  EXPECT_THROW(roles("null", "{\"eos_token\": \"absent\"}"), FormatError);
}

}  // namespace
}  // namespace bertprep
