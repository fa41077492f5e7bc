#include "bertprep/token/tokenizer.h"

#include <gtest/gtest.h>

#include "twins/tokenizer.h"

namespace bertprep {
namespace {

using namespace std::string_literals;
using Words = std::vector<std::string>;

const TokenizerOptions kUncased{.lower_case = true}, kCased{.lower_case = false};

TEST(BasicTokens, SplitsAtWhiteSpaceAndPunctuation) {
  EXPECT_EQ(basic_tokens("Don't stop, now!", kUncased), (Words{"don", "'", "t", "stop", ",", "now", "!"}));
  EXPECT_EQ(basic_tokens("a\u00a0b\u2028c\td", kUncased), (Words{"a", "b", "c", "d"}));
  EXPECT_EQ(basic_tokens("x\u00a3y \u20ac1 \u00a9", kUncased), (Words{"x\u00a3y", "\u20ac1", "\u00a9"}));
  EXPECT_EQ(basic_tokens("##s", kUncased), (Words{"#", "#", "s"}));
}

TEST(BasicTokens, DropsControlsWithoutSplitting) {
  EXPECT_EQ(basic_tokens("a\x0b"s + "b\0c\x85"s.substr(0, 3) + "\u0085d\u200be\ufffdf", kUncased), (Words{"abcdef"}));
}

TEST(BasicTokens, PutsBlanksAroundCjk) {
  EXPECT_EQ(basic_tokens("ab\u4e2d\u6587cd\u3042\u3044", kUncased),
            (Words{"ab", "\u4e2d", "\u6587", "cd\u3042\u3044"}));
}

TEST(BasicTokens, NormalizesOnlyOnRequest) {
  EXPECT_EQ(basic_tokens("\u00c9t\u00e9 \u039f\u0394\u039f\u03a3.", kUncased),
            (Words{"ete", "\u03bf\u03b4\u03bf\u03c2", "."}));
  EXPECT_EQ(basic_tokens("\u00c9t\u00e9", kCased), (Words{"\u00c9t\u00e9"}));
}

TEST(BasicTokens, FoldsCaseAndAccentsApart) {
  const TokenizerOptions lower{.strip_accents = AccentStripping::kNo};
  const TokenizerOptions stripped{.lower_case = false, .strip_accents = AccentStripping::kYes};
  EXPECT_EQ(basic_tokens("\u00c9t\u00e9 E\u0301 \u039f\u03a3", lower),
            (Words{"\u00e9t\u00e9", "e\u0301", "\u03bf\u03c2"}));
  EXPECT_EQ(basic_tokens("\u00c9t\u00e9 \u2260", stripped), (Words{"Ete", "="}));
  EXPECT_EQ(basic_tokens("[MASK] \u00c9", stripped), (Words{"[MASK]", "E"}));
  // Marathi: vowel signs are nonspacing marks.
  EXPECT_EQ(basic_tokens("\u0935\u094d\u092f\u0915\u094d\u0924\u0940\u0902\u091a\u0940", kUncased),
            (Words{"\u0935\u092f\u0915\u0924\u0940\u091a\u0940"}));
  EXPECT_EQ(basic_tokens("\u0935\u094d\u092f\u0915\u094d\u0924\u0940\u0902\u091a\u0940", lower),
            (Words{"\u0935\u094d\u092f\u0915\u094d\u0924\u0940\u0902\u091a\u0940"}));
}

TEST(BasicTokens, KeepsSpecialPiecesThatStandAlone) {
  EXPECT_EQ(basic_tokens("[MASK] [CLS]. x[SEP] [mask]", kUncased),
            (Words{"[MASK]", "[", "cls", "]", ".", "x", "[", "sep", "]", "[", "mask", "]"}));
  EXPECT_EQ(basic_tokens("\u4e2d[UNK]\u4e2d [P\u200bAD]", kUncased), (Words{"\u4e2d", "[UNK]", "\u4e2d", "[PAD]"}));
}

class Encode : public testing::Test {
 protected:
  // The fast tokenizer's pieces, after checking that the plain twin gives the same.
  Words encode(const std::string& text, const TokenizerOptions& options = kUncased) {
    Tokenizer& tokenizer = options.lower_case ? uncased_ : cased_;
    const auto ids = test::encode(tokenizer, text);
    EXPECT_EQ(ids, test::plain_encode(vocab_, options, text)) << text;
    EXPECT_EQ(ids, test::encode(tokenizer, text)) << "from the cache: " << text;
    return test::pieces(vocab_, ids);
  }

  const Vocab vocab_ = test::make_vocab({"a",        "##a",
                                         "b",        "##b",
                                         "hello",    "world",
                                         ",",        "!",
                                         "[",        "]",
                                         "mask",     "cls",
                                         "e",        "\u4e2d",
                                         "\u03c3",   "##\u03c3",
                                         "\u03b1",   "##\u03b1",
                                         "##\u03c2", ".",
                                         "=",        "internationalization",
                                         "ab",       "\u1112",
                                         "##\u1161", "##\u11ab"});
  Tokenizer uncased_{vocab_, kUncased}, cased_{vocab_, kCased};
};

TEST_F(Encode, FindsPieces) {
  EXPECT_EQ(encode("Hello, WORLD!"), (Words{"hello", ",", "world", "!"}));
  EXPECT_EQ(encode("Hello", kCased), (Words{"[UNK]"}));
  EXPECT_EQ(encode("aab zzz"), (Words{"a", "##a", "##b", "[UNK]"}));
  EXPECT_EQ(encode(""), Words{});
  EXPECT_EQ(encode(" \t\n\r"), Words{});
  EXPECT_EQ(encode("\0\x01"s), Words{});
}

TEST_F(Encode, TakesSpecialPiecesThatStandAlone) {
  EXPECT_EQ(encode("a [MASK] b"), (Words{"a", "[MASK]", "b"}));
  EXPECT_EQ(encode("[MASK]"), (Words{"[MASK]"}));
  EXPECT_EQ(encode("[mask]"), (Words{"[", "mask", "]"}));
  EXPECT_EQ(encode("a[MASK]"), (Words{"a", "[", "mask", "]"}));
  EXPECT_EQ(encode("[MASK]!"), (Words{"[", "mask", "]", "!"}));
  EXPECT_EQ(encode("[MA\0SK]"s), (Words{"[MASK]"}));
  EXPECT_EQ(encode("\0[MASK]\x7f"s), (Words{"[MASK]"}));
  EXPECT_EQ(encode("\u00a0[CLS]\u3000[SEP]\u4e2d[PAD]"), (Words{"[CLS]", "[SEP]", "\u4e2d", "[PAD]"}));
  EXPECT_EQ(encode("\u0301[MASK]"), (Words{"[", "mask", "]"}));
  EXPECT_EQ(encode("[MASK]\u0301"), (Words{"[", "mask", "]"}));
  EXPECT_EQ(encode("[[MASK]"), (Words{"[", "[", "mask", "]"}));
  EXPECT_EQ(encode("[MASK][MASK]"), (Words{"[", "mask", "]", "[", "mask", "]"}));
}

TEST_F(Encode, NormalizesInTheContextOfTheWhiteSpaceToken) {
  EXPECT_EQ(encode("\u0391\u03a3"), (Words{"\u03b1", "##\u03c2"}));
  EXPECT_EQ(encode("\u0391\u03a3."), (Words{"\u03b1", "##\u03c2", "."}));
  EXPECT_EQ(encode("\u0391\u03a3.A"), (Words{"\u03b1", "##\u03c3", ".", "a"}));
  EXPECT_EQ(encode("a.\u0391\u03a3"), (Words{"a", ".", "\u03b1", "##\u03c2"}));
  EXPECT_EQ(encode("\u03a3a\u4e2d\u03a3a"), (Words{"\u03c3", "##a", "\u4e2d", "\u03c3", "##a"}));
}

TEST_F(Encode, DecomposesHangulAndSigns) {
  EXPECT_EQ(encode("\ud55c"), (Words{"\u1112", "##\u1161", "##\u11ab"}));
  EXPECT_EQ(encode("a\u2260\u00e9"), (Words{"a", "=", "e"}));
}

// Words of every length, at every distance from the edges of the windows.
TEST_F(Encode, DoesNotCareWhereAWordStands) {
  for (std::size_t lead = 0; lead < 140; ++lead) {
    EXPECT_EQ(encode(std::string(lead, ' ') + "Internationalization ab"), (Words{"internationalization", "ab"}));
    EXPECT_EQ(encode(std::string(lead, ' ') + "Ab\u00e9"), (Words{"[UNK]"}));
    EXPECT_EQ(encode(std::string(lead, ' ') + "[MASK]" + std::string(lead, ' ')), (Words{"[MASK]"}));
    EXPECT_EQ(encode(std::string(lead, '!') + "b").size(), lead + 1);
    EXPECT_EQ(encode(std::string(lead + 1, 'a')).size(), lead < 100 ? lead == 0 ? 1 : lead + 1 : 1);
  }
}

TEST_F(Encode, LimitsWordsByCodePoints) {
  EXPECT_EQ(encode(std::string(100, 'a')).size(), 100U);
  EXPECT_EQ(encode(std::string(101, 'a')), (Words{"[UNK]"}));
  std::string greek;
  for (int i = 0; i < 100; ++i) greek += "\u03b1";
  EXPECT_EQ(encode(greek).size(), 100U);
  EXPECT_EQ(encode(greek + "\u0301").size(), 100U);
  EXPECT_EQ(encode(greek + "\u03b1"), (Words{"[UNK]"}));
  EXPECT_EQ(encode(greek + greek + greek + greek + greek + " a"), (Words{"[UNK]", "a"}));
}

TEST_F(Encode, TakesTextOfAnyLengthInOneCall) {
  std::string text;
  for (int i = 0; i < 30000; ++i) text += i % 7 == 0 ? "\u0391\u03a3 " : i % 3 == 0 ? "[MASK] " : "aab ";
  EXPECT_GT(encode(text).size(), 60000U);
  const std::string one_token = [] {
    std::string bytes;
    while (bytes.size() < 100000) bytes += "a,";
    return bytes;
  }();
  EXPECT_EQ(encode(one_token).size(), 100000U);
}

TEST_F(Encode, AppendsAndCounts) {
  Tokenizer tokenizer(vocab_, kUncased);
  std::vector<TokenId> ids{42};
  EXPECT_EQ(tokenizer.encode("hello world", ids), 2U);
  EXPECT_EQ(tokenizer.encode("", ids), 0U);
  EXPECT_EQ(ids, (std::vector<TokenId>{42, *vocab_.find("hello"), *vocab_.find("world")}));
}

TEST_F(Encode, CloneAndMoveKeepTheTables) {
  auto tokenizer = std::make_unique<Tokenizer>(vocab_, kUncased);
  Tokenizer clone = tokenizer->clone();
  Tokenizer moved = std::move(*tokenizer);
  tokenizer.reset();
  EXPECT_EQ(test::encode(clone, "Hello \u00c9"), test::encode(moved, "hello e"));
}

}  // namespace
}  // namespace bertprep
