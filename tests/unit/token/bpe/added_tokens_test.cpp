
#include <gtest/gtest.h>

#include "token/bpe/byte_pair_encoder.h"
#include "twins/byte_pairs.h"

namespace bertprep {
namespace {

TEST(AddedTokens, FindTheLeftmostThenTheLongest) {
  const AddedTokens tokens({{.id = 1, .content = "ab"}, {.id = 2, .content = "abc"}, {.id = 3, .content = "x"}});
  const auto expect = [&](std::string_view text, std::size_t from, std::size_t begin, TokenId id) {
    const auto place = tokens.find(text, from);
    ASSERT_NE(place.token, nullptr) << text;
    EXPECT_EQ(place.begin, begin) << text;
    EXPECT_EQ(place.token->id, id) << text;
  };
  expect("ab", 0, 0, 1);
  expect("zabcx", 0, 1, 2);
  expect("zabcx", 2, 4, 3);
  expect("abdab", 2, 3, 1);
  EXPECT_EQ(tokens.find("a b", 0).token, nullptr);
  EXPECT_EQ(tokens.find("", 0).token, nullptr);
  EXPECT_EQ(tokens.find("ab", 1).token, nullptr);
  EXPECT_EQ(AddedTokens().find("ab", 0).token, nullptr);
}

// The result of HuggingFace's tokenizers 0.23.2 for these tokens: each as <N>, other ids as their bytes.
class AddedTokensInText : public testing::Test {
 protected:
  static std::string spelled(const BytePairModel& model, std::string_view text,
                             SpecialInText special = SpecialInText::kControl) {
    BytePairEncoder encoder(std::make_shared<const BytePairModel>(model), special);
    std::vector<TokenId> ids;
    encoder.encode(text, ids);
    EXPECT_EQ(ids, test::PlainBytePairs(model).encode(special, text)) << text;
    std::string out;
    for (const TokenId id : ids) {
      out += id < 256 ? std::string(1, static_cast<char>(id)) : "<" + std::to_string(id - 256) + ">";
    }
    return out;
  }
};

TEST_F(AddedTokensInText, TakeTheWhiteSpaceBesideThem) {
  const BytePairModel model = test::make_byte_pairs({}, {{.content = "<m>", .lstrip = true},
                                                         {.content = "<r>", .rstrip = true},
                                                         {.content = "<b>", .lstrip = true, .rstrip = true}});
  EXPECT_EQ(spelled(model, "a  <m> b"), "a<0> b");
  EXPECT_EQ(spelled(model, "a <r>  b"), "a <1>b");
  EXPECT_EQ(spelled(model, "a <b>  <b> c"), "a<2><2>c");
  EXPECT_EQ(spelled(model, "a <r> <m> b"), "a <1><0> b");
  EXPECT_EQ(spelled(model, "a <r>  <r>\u00a0 x"), "a <1><1>x");
  EXPECT_EQ(spelled(model, "a\x1c<m>"), "a\x1c<0>");
  EXPECT_EQ(spelled(model, "a \n\u3000<m>x"), "a<0>x");
}

TEST_F(AddedTokensInText, AreFoundRawFirstThenNormalized) {
  BytePairModel model = test::make_byte_pairs({}, {{.content = "e\u0301", .normalized = true},
                                                   {.content = "o\u0301"},
                                                   {.content = "<m>", .lstrip = true, .normalized = true}});
  model.nfc = true;
  EXPECT_EQ(spelled(model, "xe\u0301y \u00e9"), "x<0>y <0>");
  EXPECT_EQ(spelled(model, "o\u0301 \u00f3"), "<1> \xc3\xb3");
  EXPECT_EQ(spelled(model, "a <m>e\u0301"), "a<2><0>");
  EXPECT_EQ(spelled(model, "a\u0308"), "\xc3\xa4");
}

TEST_F(AddedTokensInText, RunsOfBlanks) {
  const BytePairModel model =
      test::make_byte_pairs({}, {{.content = "  ", .normalized = true}, {.content = "    ", .normalized = true}});
  EXPECT_EQ(spelled(model, "a   b"), "a<0> b");
  EXPECT_EQ(spelled(model, "a     b"), "a<1> b");
  EXPECT_EQ(spelled(model, "a       b"), "a<1><0> b");
}

TEST_F(AddedTokensInText, ControlTokensAreTextUnlessTheyAreAskedFor) {
  const BytePairModel model = test::make_byte_pairs({}, {{.content = "<e>", .special = true}, {.content = "<w>"}});
  EXPECT_EQ(spelled(model, "a<e>b<w>"), "a<0>b<1>");
  EXPECT_EQ(spelled(model, "a<e>b<w>", SpecialInText::kText), "a<e>b<1>");
}

TEST_F(AddedTokensInText, EachTextBetweenThemGetsABlank) {
  BytePairModel model = test::make_byte_pairs({}, {{.content = "<e>"}});
  model.add_prefix_space = true;
  EXPECT_EQ(spelled(model, "x<e>y"), " x<0> y");
  EXPECT_EQ(spelled(model, " x"), " x");
  EXPECT_EQ(spelled(model, "\nx"), " \nx");
  EXPECT_EQ(spelled(model, "<e>"), "<0>");
  EXPECT_EQ(spelled(model, ""), "");
}

}  // namespace
}  // namespace bertprep
