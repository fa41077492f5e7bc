// Byte-level BPE against its plain twin on random text of all special cases.
#include <gtest/gtest.h>

#include <random>

#include "token/bpe/byte_pair_encoder.h"
#include "twins/byte_pairs.h"
#include "unicode/code_points.h"

namespace bertprep {
namespace {

using namespace std::string_literals;

const std::vector<std::string> kTextParts = {
    " ",      " ",      " ",      "  ",     "\n",     "\t",         "\r\n",       "a",      "e",         "the",
    "in",     "ing",    "'s",     "'",      "'ll",    "n't",        "'T",         "0",      "42",        ".",
    "...",    "<e>",    "<m>",    "<e",     "\0"s,    "\x7f",       "\u0085",     "\u00a0", "\u00e9",    "e\u0301",
    "\u0301", "\u0323", "\u0345", "\u3000", "\u200b", "\u0663",     "\u00bd",     "\u4e2d", "\uac00",    "\u1100\u1161",
    "\u212b", "\u0958", "\u2126", "\ufeff", "\u0898", "\U0001f600", "\U00010d40", "\u1c89", "\U0002f800"};

std::string random_line(std::mt19937& draws) {
  std::string text;
  for (std::size_t parts = draws() % 50; parts > 0; --parts) {
    if (draws() % 20 == 0) {
      const char32_t c = draws() % (draws() % 2 == 0 ? 0x3000 : 0x110000);
      if (c < 0xD800 || c > 0xDFFF) unicode::append_utf8(c, text);
    } else if (draws() % 30 == 0) {
      text += std::string(draws() % 130, "ae \n."[draws() % 5]);
    } else {
      text += kTextParts[draws() % kTextParts.size()];
    }
  }
  return text;
}

void expect_as_twin(bool nfc, bool add_prefix_space, SpecialInText special) {
  BytePairModel model =
      test::make_byte_pairs({"\u0120 t", "h e", "i n", "\u0120t he", "in g", "\u0120 \u0120", "a a", "aa aa", ". .",
                             "\u00c3 \u00a9", "\u0120 a", "a e", "e a", "aaaa aaaa", "' s"},
                            {{.content = "<e>", .special = true},
                             {.content = "<m>", .lstrip = true, .rstrip = true, .normalized = true, .special = true},
                             {.content = "   ", .normalized = true},
                             {.content = "\u00e9\u00e9", .normalized = true}});
  model.nfc = nfc;
  model.add_prefix_space = add_prefix_space;
  BytePairEncoder encoder(std::make_shared<const BytePairModel>(model), special);
  const test::PlainBytePairs twin(model);
  std::mt19937 draws((nfc ? 1 : 0) + (add_prefix_space ? 2 : 0));
  for (int round = 0; round < 10000; ++round) {
    const std::string text = random_line(draws);
    std::vector<TokenId> ids;
    encoder.encode(text, ids);
    ASSERT_EQ(ids, twin.encode(special, text)) << testing::PrintToString(text);
  }
}

TEST(BytePairs, EqualTheirTwinOnRandomText) {
  expect_as_twin(false, false, SpecialInText::kControl);
}
TEST(BytePairs, EqualTheirTwinOnRandomTextNormalized) {
  expect_as_twin(true, false, SpecialInText::kControl);
}
TEST(BytePairs, EqualTheirTwinOnRandomTextWithPrefixSpace) {
  expect_as_twin(true, true, SpecialInText::kText);
}

}  // namespace
}  // namespace bertprep
