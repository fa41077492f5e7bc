
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bertprep/base/error.h"
#include "support/thrown.h"
#include "token/huggingface/wordpiece_files.h"

namespace bertprep::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kJsonVocab = "[PAD]\na\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n##b\n\u00e9\n";

std::string tokenizer(const Normalization& text = {}) {
  return wordpiece_files(kJsonVocab, text, 512)[1].bytes;
}

// With the first `from` replaced.
std::string changed(const std::string& from, const std::string& to) {
  std::string bytes = tokenizer();
  const std::size_t at = bytes.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return bytes.replace(at, from.size(), to);
}

WordPieceTokenizer parsed_tokenizer(const std::string& bytes) {
  return parse_wordpiece_json(Json::parse(bytes, "t.json"), "t.json");
}

std::string refusal(const std::string& from, const std::string& to) {
  return thrown_by<FormatError>([&] { parsed_tokenizer(changed(from, to)); });
}

TEST(WordPieceJson, IsRecognizedByItsModel) {
  const auto is_one = [](const std::string& bytes) { return is_wordpiece_json(Json::parse(bytes, "")); };
  EXPECT_TRUE(is_one(tokenizer()));
  EXPECT_TRUE(is_one(changed("\"type\": \"WordPiece\",\n    \"unk", "\"unk"))) << "old files name no type";
  for (const char* other : {"[]", "{}", "{\"model\": null}", "{\"model\": {\"type\": \"BPE\"}}",
                            "{\"model\": {\"max_input_chars_per_word\": 100, \"merges\": []}}", "{\"[PAD]\": 0}"}) {
    EXPECT_FALSE(is_one(other)) << other;
  }
}

TEST(WordPieceJson, GivesThePiecesByTheirIds) {
  EXPECT_THAT(parsed_tokenizer(tokenizer()).pieces,
              ElementsAre("[PAD]", "a", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "##b", "\u00e9"));
}

TEST(WordPieceJson, SaysCaseAndAccents) {
  for (const bool lower_case : {false, true}) {
    for (const bool strip_accents : {false, true}) {
      const SaidText text =
          parsed_tokenizer(tokenizer({.lower_case = lower_case, .strip_accents = strip_accents})).text;
      EXPECT_EQ(text.lower_case, lower_case);
      EXPECT_EQ(text.strip_accents, strip_accents);
      EXPECT_EQ(text.by, "t.json");
    }
  }
}

TEST(WordPieceJson, RefusesByNameWhatGivesOtherIds) {
  EXPECT_THAT(refusal("\"BertNormalizer\"", "\"Lowercase\""),
              StartsWith("t.json: asks for the normalizer 'Lowercase', which is not supported; supported are the "
                         "tokenizers of BERT (WordPiece)"));
  EXPECT_THAT(refusal("\"clean_text\": true", "\"clean_text\": false"), HasSubstr("\"clean_text\": false"));
  EXPECT_THAT(refusal("\"handle_chinese_chars\": true", "\"handle_chinese_chars\": false"),
              HasSubstr("the normalizer BertNormalizer with \"handle_chinese_chars\": false"));
  EXPECT_THAT(refusal("\"lowercase\": true", "\"lowercase\": null"), HasSubstr("no lowercase"));
  EXPECT_THAT(refusal("\"BertPreTokenizer\"", "\"Whitespace\""), HasSubstr("the pre_tokenizer 'Whitespace'"));
  EXPECT_THAT(refusal("\"continuing_subword_prefix\": \"##\"", "\"continuing_subword_prefix\": \"@@\""),
              HasSubstr("the continuing_subword_prefix '@@'"));
  EXPECT_THAT(refusal("\"unk_token\": \"[UNK]\"", "\"unk_token\": \"<unk>\""), HasSubstr("the unk_token '<unk>'"));
  EXPECT_THAT(refusal("\"max_input_chars_per_word\": 100", "\"max_input_chars_per_word\": 200"),
              HasSubstr("the max_input_chars_per_word '200'"));
  EXPECT_THAT(refusal("\"version\": \"1.0\"", "\"version\": \"2.0\""), HasSubstr("version '2.0'"));
  EXPECT_THAT(refusal("\"truncation\"", "\"odd\""), HasSubstr("\"odd\" of a tokenizer"));
  EXPECT_THAT(refusal("\"max_input_chars_per_word\"", "\"odd\""), HasSubstr("\"odd\" of the model WordPiece"));
}

TEST(WordPieceJson, RefusesOtherSpecialTokens) {
  EXPECT_THAT(refusal("\"content\": \"[PAD]\"", "\"content\": \"<user>\""), HasSubstr("the added token '<user>'"));
  EXPECT_THAT(refusal("\"lstrip\": false", "\"lstrip\": true"),
              HasSubstr("the added token '[PAD]' with \"lstrip\": true"));
  EXPECT_THAT(refusal("\"special\": true", "\"special\": false"), HasSubstr("with \"special\": false"));
  EXPECT_THAT(refusal("\"id\": 0", "\"id\": 1"), HasSubstr("the added token '[PAD]' has the id 1"));
  EXPECT_THAT(refusal("\"added_tokens\": [", "\"added_tokens\": [], \"decoder\": ["),
              HasSubstr("added_tokens without the special piece [PAD]"));
  EXPECT_THAT(refusal("\"type_id\": 1", "\"type_id\": 0"),
              HasSubstr("the \"pair\" rows '[CLS]:0 A:0 [SEP]:0 B:0 [SEP]:1'"));
  EXPECT_THAT(refusal("\"TemplateProcessing\"", "\"RobertaProcessing\""),
              HasSubstr("the post_processor 'RobertaProcessing'"));
}

TEST(WordPieceJson, TakesBertsOtherPostProcessor) {
  std::string bytes = tokenizer();
  const std::size_t begin = bytes.find("\"post_processor\""), end = bytes.find("\"decoder\"");
  const auto with = [&](const std::string& processor) {
    std::string text = bytes;
    return text.replace(begin, end - begin, "\"post_processor\": " + processor + ",\n");
  };
  EXPECT_NO_THROW(parsed_tokenizer(with("null")));
  EXPECT_NO_THROW(parsed_tokenizer(with(R"({"type": "BertProcessing", "sep": ["[SEP]", 4], "cls": ["[CLS]", 3]})")));
  EXPECT_THAT(thrown_by([&] {
                parsed_tokenizer(with(R"({"type": "BertProcessing", "sep": ["[SEP]", 5], "cls": ["[CLS]", 3]})"));
              }),
              HasSubstr("gives [SEP] another id than the vocabulary, 4"));
}

TEST(WordPieceJson, RefusesIdsThatNoFileOfLinesHas) {
  EXPECT_THAT(refusal("\"a\": 1", "\"a\": 8"), HasSubstr("the piece 'a' has the id 8, and there are 8 pieces"));
  EXPECT_THAT(refusal("\"a\": 1", "\"a\": 0"), HasSubstr("the pieces '[PAD]' and 'a' have the id 0"));
  EXPECT_THAT(refusal("\"a\": 1", "\"a \": 1"), HasSubstr("has white space at an end"));
  EXPECT_THAT(refusal("\"a\": 1", "\"a\": \"x\""), StartsWith("t.json: "));
}

}  // namespace
}  // namespace bertprep::test
