#include "token/bpe/byte_pair_encoder.h"

#include <gmock/gmock.h>

#include "twins/byte_pairs.h"

namespace bertprep {
namespace {

using testing::ElementsAre;

std::shared_ptr<const BytePairModel> model() {
  return std::make_shared<const BytePairModel>(
      test::make_byte_pairs({"\u0120 t", "h e", "\u0120t he", "i n"}, {{.content = "<end>", .special = true}}));
}

std::vector<TokenId> encode(BytePairEncoder& encoder, std::string_view text) {
  std::vector<TokenId> ids;
  encoder.encode(text, ids);
  return ids;
}

TEST(BytePairEncoder, EncodesAndAppends) {
  BytePairEncoder encoder(model(), SpecialInText::kText);
  EXPECT_THAT(encode(encoder, "the the in"), ElementsAre('t', 257, 258, ' ', 259));
  EXPECT_THAT(encode(encoder, ""), testing::IsEmpty());
  std::vector<TokenId> ids = {1};
  encoder.encode("in\n", ids);
  EXPECT_THAT(ids, ElementsAre(1, 259, '\n'));
}

TEST(BytePairEncoder, ACloneHasTheSameIds) {
  BytePairEncoder encoder(model(), SpecialInText::kControl);
  BytePairEncoder clone = encoder.clone();
  EXPECT_EQ(encode(clone, "a the<end>"), encode(encoder, "a the<end>"));
  EXPECT_THAT(encode(clone, "<end>"), ElementsAre(260));
}

// Words at the end of a text, where fewer bytes are readable than a key has, and the same ones in its middle.
TEST(BytePairEncoder, WordsHaveTheSameIdsEverywhere) {
  BytePairEncoder encoder(model(), SpecialInText::kText);
  const test::PlainBytePairs twin(encoder.model());
  for (std::size_t letters = 1; letters < 70; ++letters) {
    std::string word = "in";
    word.resize(letters + 1, 'x');
    const auto expected = twin.encode(SpecialInText::kText, word);
    for (int times = 0; times < 3; ++times) ASSERT_EQ(encode(encoder, word), expected) << word;
    auto line = expected;
    line.push_back('.');
    line.insert(line.end(), 40, '.');
    for (int times = 0; times < 3; ++times) ASSERT_EQ(encode(encoder, word + std::string(41, '.')), line) << word;
  }
}

TEST(BytePairEncoder, TextLongerThanItsBuffer) {
  BytePairEncoder encoder(model(), SpecialInText::kText);
  EXPECT_EQ(encode(encoder, std::string(100000, 'x')), std::vector<TokenId>(100000, 'x'));
  std::string words;
  for (int i = 0; i < 30000; ++i) words += " the";
  EXPECT_EQ(encode(encoder, words), std::vector<TokenId>(30000, 258));
}

}  // namespace
}  // namespace bertprep
