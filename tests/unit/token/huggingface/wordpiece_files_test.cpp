#include "token/huggingface/wordpiece_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bertprep/base/error.h"
#include "io/json.h"
#include "support/golden_data.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;

constexpr const char* kVocab = "[PAD]\na\r\n[UNK]\n[CLS]\n[SEP]\n[MASK] \n##b\n";

std::string file_of(const std::string& name, std::string_view vocab, const Normalization& options) {
  for (const TokenizerFile& file : wordpiece_files(vocab, options, 512)) {
    if (file.name == name) return file.bytes;
  }
  return "";
}

Normalization options(bool lower_case, bool strip_accents) {
  return {.lower_case = lower_case, .strip_accents = strip_accents};
}

TEST(WordPieceFiles, NumberThePiecesAsTheFileDoes) {
  const Json json = Json::parse(file_of("tokenizer.json", kVocab, {}), "tokenizer.json");
  const Json& vocab = json.at("model").at("vocab");
  EXPECT_EQ(vocab.members().size(), 7U);
  EXPECT_EQ(vocab.at("a").as_unsigned(), 1U);
  EXPECT_EQ(vocab.at("[MASK]").as_unsigned(), 5U);
  EXPECT_EQ(vocab.at("##b").as_unsigned(), 6U);
  EXPECT_EQ(json.at("added_tokens").items()[1].at("id").as_unsigned(), 2U);
  EXPECT_EQ(file_of("vocab.txt", kVocab, {}), kVocab);
}

TEST(WordPieceFiles, SayCaseAndAccents) {
  const auto config = [](bool lower_case, bool strip_accents) {
    return file_of("tokenizer_config.json", kVocab, options(lower_case, strip_accents));
  };
  EXPECT_THAT(config(true, true), HasSubstr("\"do_lower_case\": true"));
  EXPECT_THAT(config(true, true), HasSubstr("\"strip_accents\": null"));
  EXPECT_THAT(config(false, false), HasSubstr("\"do_lower_case\": false"));
  EXPECT_THAT(config(false, false), HasSubstr("\"strip_accents\": null"));
  EXPECT_THAT(config(true, false), HasSubstr("\"strip_accents\": false"));
  EXPECT_THAT(config(false, true), HasSubstr("\"strip_accents\": true"));
  EXPECT_THAT(file_of("tokenizer.json", kVocab, options(true, false)), HasSubstr("\"strip_accents\": false"));
}

TEST(WordPieceFiles, NeedTheSpecialPieces) {
  EXPECT_THROW(wordpiece_files("[PAD]\n[UNK]\n[CLS]\n[SEP]\n", {}, 512), FormatError);
}

// The keys of a JSON object must differ.
TEST(WordPieceFiles, RefuseAPieceThatOccursTwice) {
  EXPECT_THROW(wordpiece_files(std::string(kVocab) + "a\n", {}, 512), FormatError);
}

class WordPieceFilesGolden : public GoldenTest {
 protected:
  std::string golden(const std::string& name) const {
    return read_bytes(shared() / "goldens" / "outputs" / "hf-tokenizer" / name);
  }
};

TEST_F(WordPieceFilesGolden, AreThoseThatHuggingFaceLoads) {
  const std::string sample = read_bytes(source_folder() / "vocab" / "sample-uncased-vocab.txt");
  EXPECT_EQ(file_of("tokenizer.json", sample, {}), golden("sample-uncased.tokenizer.json"));
  EXPECT_EQ(file_of("special_tokens_map.json", sample, {}), golden("special_tokens_map.json"));
  std::string google = "[PAD]\n";
  for (int id = 1; id < 100; ++id) google += "[unused" + std::to_string(id) + "]\n";
  google += "[UNK]\n[CLS]\n[SEP]\n[MASK]\n";
  EXPECT_EQ(file_of("tokenizer_config.json", google, options(true, true)), golden("uncased.tokenizer_config.json"));
  EXPECT_EQ(file_of("tokenizer_config.json", google, options(false, false)), golden("cased.tokenizer_config.json"));
}

}  // namespace
}  // namespace bertprep::test
