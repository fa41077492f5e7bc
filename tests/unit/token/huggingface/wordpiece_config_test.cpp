#include "token/huggingface/wordpiece_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bertprep/base/error.h"
#include "support/thrown.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;

SaidText parsed(const std::string& bytes) {
  return parse_wordpiece_config(Json::parse(bytes, "c.json"), "c.json");
}

TEST(WordPieceConfig, SaysCaseAndAccents) {
  EXPECT_EQ(parsed("{}").lower_case, std::nullopt);
  EXPECT_EQ(parsed("{\"do_lower_case\": false}").lower_case, false);
  EXPECT_EQ(parsed("{\"do_lower_case\": false}").strip_accents, false);
  EXPECT_EQ(parsed("{\"do_lower_case\": true, \"strip_accents\": null}").strip_accents, true);
  EXPECT_EQ(parsed("{\"do_lower_case\": true, \"strip_accents\": false}").strip_accents, false);
}

TEST(WordPieceConfig, RefusesByNameWhatGivesOtherIds) {
  const auto refusal = [](const std::string& bytes) { return thrown_by<FormatError>([&] { parsed(bytes); }); };
  EXPECT_THAT(refusal("{\"tokenizer_class\": \"BertJapaneseTokenizer\"}"),
              HasSubstr("c.json: asks for the tokenizer_class 'BertJapaneseTokenizer'"));
  EXPECT_THAT(refusal("{\"tokenize_chinese_chars\": false}"), HasSubstr("\"tokenize_chinese_chars\": false"));
  EXPECT_THAT(refusal("{\"do_basic_tokenize\": false}"), HasSubstr("\"do_basic_tokenize\": false"));
  EXPECT_THAT(refusal("{\"never_split\": [\"x\"]}"), HasSubstr("\"never_split\""));
  EXPECT_THAT(refusal("{\"mask_token\": {\"content\": \"<mask>\"}}"), HasSubstr("the mask_token '<mask>'"));
  EXPECT_THAT(refusal("{\"added_tokens_decoder\": {\"9\": {\"content\": \"<user>\"}}}"),
              HasSubstr("the added token '<user>'"));
  EXPECT_THAT(refusal("{\"do_lower_case\": 1}"), HasSubstr("c.json: "));
  for (const char* known : {"BertTokenizer", "BertTokenizerFast", "DistilBertTokenizerFast", "ElectraTokenizer"}) {
    EXPECT_EQ(refusal("{\"tokenizer_class\": \"" + std::string(known) + "\"}"), "nothing thrown");
  }
}

}  // namespace
}  // namespace bertprep::test
