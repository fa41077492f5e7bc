// The tokenizer against its plain twin on random text of all special cases.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "support/sanitized.h"
#include "twins/tokenizer.h"
#include "unicode/code_points.h"

namespace bertprep {
namespace {

using namespace std::string_literals;

const std::vector<std::string> kParts = {
    " ",          " ",      " ",      " ",          "\t",         "\n",         "\r",
    "a",          "b",      "A",      "B",          "ab",         "Hello",      "internationalization",
    "0",          "42",     ".",      ",",          "-",          "[",          "]",
    "#",          "##",     "[MASK]", "[CLS]",      "[SEP]",      "[PAD]",      "[UNK]",
    "[mask]",     "[MASK",  "\0"s,    "\x01",       "\x0b",       "\x1c",       "\x7f",
    "\u0085",     "\u00a0", "\u00ad", "\u2028",     "\u2029",     "\u200b",     "\ufeff",
    "\ufffd",     "\u3000", "\u1680", "\u00e9",     "\u00c9",     "\u0130",     "\u00df",
    "\u1e9e",     "\u03a3", "\u03a3", "\u03c3",     "\u03c2",     "\u0391",     "\u0301",
    "\u0323",     "\u0345", "\u4e2d", "\u6587",     "\uf900",     "\U0002f800", "\u3042",
    "\u30ac",     "\ud55c", "\u0419", "\u0439",     "\u0416",     "\u2260",     "\u037e",
    "\u212a",     "\u2019", "\u00b7", "\U0001f600", "\U0001d165", "\U0001d16d", "\u302e",
    "\u302f",     "\u0903", "\u093f", "\u0e33",     "\u0378",     "\ue000",     "\U000e0100",
    "\U0010ffff", "\u0cf3", "\u00b2", "\u00aa"};

std::string random_text(std::mt19937& draws) {
  std::string text;
  const std::size_t parts = draws() % 60;
  for (std::size_t i = 0; i < parts; ++i) {
    if (draws() % 20 == 0) {
      const char32_t c = draws() % (draws() % 2 == 0 ? 0x3000 : 0x110000);
      if (c < 0xD800 || c > 0xDFFF) unicode::append_utf8(c, text);
    } else if (draws() % 30 == 0) {
      text += std::string(draws() % 130, "aB !\t"[draws() % 5]);
    } else {
      text += kParts[draws() % (draws() % 3 == 0 ? 20 : kParts.size())];
    }
  }
  return text;
}

// Half of the words that the parts make, as whole pieces, and single letters both ways.
Vocab vocabulary() {
  std::vector<std::string> pieces = {"hello", "Hello", "international", "##ization", "[",
                                     "]",     "#",     "mask",          "MASK",      "42"};
  for (const char32_t c :
       U"abAB0.,-\u00e9\u00c9e\u03c3\u03c2\u03b1\u03a3\u0391\u4e2d\u8c48\u1112\u1161\u11ab\u0438\u0436\u0419="
       U";k\u30ab\u3042"
       U"\U0001d165\U0001d158\u302e\u0903\u00b2") {
    if (c == 0) continue;
    pieces.push_back(unicode::encode(std::u32string(1, c)));
    pieces.push_back("##" + pieces.back());
  }
  return test::make_vocab(pieces);
}

constexpr std::size_t kRounds = test::some_of(20'000);

void expect_same_as_twin(const TokenizerOptions& options) {
  const Vocab vocab = vocabulary();
  Tokenizer tokenizer(vocab, options);
  std::mt19937 draws((options.lower_case ? 1 : 2) + 2 * static_cast<unsigned>(options.strip_accents));
  std::size_t known = 0;
  for (std::size_t round = 0; round < kRounds; ++round) {
    const std::string text = random_text(draws);
    const auto ids = test::encode(tokenizer, text);
    ASSERT_EQ(ids, test::plain_encode(vocab, options, text)) << testing::PrintToString(text);
    known +=
        static_cast<std::size_t>(std::count_if(ids.begin(), ids.end(), [&](TokenId id) { return id != vocab.unk(); }));
  }
  EXPECT_GT(known, 5 * kRounds);
}

TEST(Tokenizer, EqualsItsTwinOnRandomTextUncased) {
  expect_same_as_twin({.lower_case = true});
}
TEST(Tokenizer, EqualsItsTwinOnRandomTextCased) {
  expect_same_as_twin({.lower_case = false});
}

TEST(Tokenizer, EqualsItsTwinOnRandomTextInLowerCaseWithMarks) {
  expect_same_as_twin({.lower_case = true, .strip_accents = AccentStripping::kNo});
}
TEST(Tokenizer, EqualsItsTwinOnRandomTextCasedWithoutMarks) {
  expect_same_as_twin({.lower_case = false, .strip_accents = AccentStripping::kYes});
}

// Text before and after a line, or the distribution of lines over calls, has no effect.
TEST(Tokenizer, LinesAreIndependent) {
  const Vocab vocab = vocabulary();
  Tokenizer tokenizer(vocab, {});
  std::mt19937 draws(3);
  for (int round = 0; round < 3000; ++round) {
    const std::string first = random_text(draws), second = random_text(draws);
    auto expected = test::encode(tokenizer, first);
    tokenizer.encode(second, expected);
    ASSERT_EQ(test::encode(tokenizer, first + "\n" + second), expected)
        << testing::PrintToString(first + "\n" + second);
  }
}

}  // namespace
}  // namespace bertprep
