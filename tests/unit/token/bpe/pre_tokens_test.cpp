#include "token/bpe/pre_tokens.h"

#include <gmock/gmock.h>

#include <random>

#include "io/digest.h"
#include "twins/byte_pairs.h"

namespace bertprep {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  static const PreTokens pre_tokens;
  std::vector<std::string> words;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    const char* const word_end = pre_tokens.end_of_word(at, end);
    words.emplace_back(at, word_end);
    at = word_end;
  }
  return words;
}

TEST(PreTokens, TakeOneBlankWithTheWordAfterIt) {
  EXPECT_THAT(words_of("Hello  world, 12x"), testing::ElementsAre("Hello", " ", " world", ",", " 12", "x"));
  EXPECT_THAT(words_of(" a"), testing::ElementsAre(" a"));
  EXPECT_THAT(words_of("\ta \n b "), testing::ElementsAre("\t", "a", " \n", " b", " "));
  EXPECT_THAT(words_of("a\u00a0b"), testing::ElementsAre("a", "\u00a0", "b"));
  EXPECT_THAT(words_of("a\u3000\u3000b"), testing::ElementsAre("a", "\u3000", "\u3000", "b"));
}

TEST(PreTokens, CutContractionsInLowerCaseAlone) {
  EXPECT_THAT(words_of("don't"), testing::ElementsAre("don", "'t"));
  EXPECT_THAT(words_of("DON'T"), testing::ElementsAre("DON", "'", "T"));
  EXPECT_THAT(words_of("we'll've"), testing::ElementsAre("we", "'ll", "'ve"));
  EXPECT_THAT(words_of("'re 're"), testing::ElementsAre("'re", " '", "re"));
  EXPECT_THAT(words_of("''s!'s"), testing::ElementsAre("''", "s", "!'", "s"));
  EXPECT_THAT(words_of("'l"), testing::ElementsAre("'", "l"));
  EXPECT_THAT(words_of("'"), testing::ElementsAre("'"));
}

// Letters are scanned eight at a time: tests every length, followed by every kind of character.
TEST(PreTokens, LongWordsEndWhereTheExpressionEndsThem) {
  std::vector<std::string> ends = {"\u00e9", "\u00e9.", "\u00d7", "\u3000", "\U0001f600", ""};
  for (char c = 0; c >= 0 && c < 127; ++c) ends.emplace_back(1, c);
  for (std::size_t letters = 0; letters < 20; ++letters) {
    std::string word;
    for (std::size_t i = 0; i < letters; ++i) word += "azAZm"[i % 5];
    for (const std::string& end : ends) {
      for (const std::string more : {"", "b", "bcdefghij"}) {
        const std::string text = word + end + more;
        ASSERT_EQ(words_of(text), test::plain_pre_tokens(text)) << testing::PrintToString(text);
      }
    }
  }
}

// As HuggingFace's tokenizers 0.23.2 classify every character: 1 letter, 2 number, 3 other, 4 white space, 0 surrogate.
TEST(PreTokens, KnowTheKindOfEveryCharacter) {
  const PreTokens pre_tokens;
  std::string kinds(0x110000, '\0');
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    constexpr char kNumbers[] = {3, 1, 2, 4};
    kinds[c] = kNumbers[static_cast<std::size_t>(pre_tokens.kind_of(c))];
  }
  EXPECT_EQ(sha256_of(kinds), "7ffa8912765c7a15e316ab4039b1cf3e2495c26f2793505f23a31720c01ab56a");
}

// Every text of up to six of these, which cover every kind in the alternatives.
TEST(PreTokens, EqualTheRegularExpressionOnEverySmallText) {
  const std::vector<std::string> alphabet = {" ", "\n", "a", "s", "1", "'", "\u00e9", "\u3000"};
  std::vector<std::string> texts = {""};
  for (std::size_t first = 0, letters = 0; letters < 5; ++letters) {
    const std::size_t last = texts.size();
    for (; first < last; ++first) {
      for (const std::string& letter : alphabet) texts.push_back(texts[first] + letter);
    }
  }
  ASSERT_GT(texts.size(), 37000U);
  for (const std::string& text : texts) ASSERT_EQ(words_of(text), test::plain_pre_tokens(text)) << text;
}

}  // namespace
}  // namespace bertprep
