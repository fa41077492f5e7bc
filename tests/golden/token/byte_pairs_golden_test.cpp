// Ids by HuggingFace's tokenizers of hard strings, with the files of GPT-2 and of OLMo (GPT-NeoX's).
#include "bertprep/token/text_encoder.h"
#include "support/golden_data.h"
#include "support/json_lines.h"
#include "token/bpe/byte_pair_encoder.h"
#include "token/bpe/byte_pair_files.h"
#include "twins/byte_pairs.h"

namespace bertprep {
namespace {

class BytePairGoldens : public test::GoldenTest {
 protected:
  std::filesystem::path models() const { return shared() / "models" / "bpe"; }

  void expect_ids(BytePairModel read, const std::string& strings, const std::string& ids) const {
    const auto model = std::make_shared<const BytePairModel>(std::move(read));
    BytePairEncoder encoder(model, SpecialInText::kControl);
    const auto folder = shared() / "goldens" / "outputs" / "bpe";
    const auto texts = test::read_json_lines(folder / strings), expected = test::read_json_lines(folder / ids);
    ASSERT_EQ(texts.size(), expected.size());
    ASSERT_FALSE(texts.empty());
    const test::PlainBytePairs twin(*model);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      std::vector<TokenId> found;
      encoder.encode(texts[i].text, found);
      ASSERT_EQ(found, expected[i].integers()) << testing::PrintToString(texts[i].text);
      ASSERT_EQ(twin.encode(SpecialInText::kControl, texts[i].text), found) << texts[i].text;
    }
  }

  BytePairModel with_prefix_space() const {
    BytePairModel model = read_byte_pairs(models() / "gpt2" / "tokenizer.json");
    model.add_prefix_space = true;
    return model;
  }
};

TEST_F(BytePairGoldens, Gpt2) {
  expect_ids(read_byte_pairs(models() / "gpt2" / "tokenizer.json"), "strings.jsonl", "strings.gpt2.ids.jsonl");
}
TEST_F(BytePairGoldens, Gpt2FromVocabAndMerges) {
  expect_ids(read_byte_pairs(models() / "gpt2" / "merges.txt"), "strings.jsonl", "strings.gpt2.ids.jsonl");
  expect_ids(read_byte_pairs(models() / "gpt2" / "vocab.json"), "strings.jsonl", "strings.gpt2.ids.jsonl");
}
TEST_F(BytePairGoldens, Gpt2WithPrefixSpace) {
  expect_ids(with_prefix_space(), "strings.jsonl", "strings.gpt2-prefix-space.ids.jsonl");
}
TEST_F(BytePairGoldens, OlmoNeox) {
  expect_ids(read_byte_pairs(models() / "olmo-neox"), "strings.jsonl", "strings.olmo-neox.ids.jsonl");
}
TEST_F(BytePairGoldens, ControlTokens) {
  expect_ids(read_byte_pairs(models() / "gpt2"), "special.jsonl", "special.gpt2.ids.jsonl");
  expect_ids(with_prefix_space(), "special.jsonl", "special.gpt2-prefix-space.ids.jsonl");
}

TEST_F(BytePairGoldens, TokensWithAMeaning) {
  const TextEncoder gpt2 = TextEncoder::open((models() / "gpt2").string(), {});
  EXPECT_EQ(gpt2.size(), 50257U);
  EXPECT_EQ(gpt2.specials(), SpecialIds{.eod = 50256});
  EXPECT_EQ(gpt2.token(262), "\u0120the");
  const TextEncoder olmo = TextEncoder::open((models() / "olmo-neox" / "tokenizer.json").string(), {});
  EXPECT_EQ(olmo.size(), 50280U);
  EXPECT_EQ(olmo.specials().eod, 50279);
  EXPECT_EQ(olmo.specials().pad, 1);
}

}  // namespace
}  // namespace bertprep
