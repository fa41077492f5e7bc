#include "unicode/byte_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>

namespace bertprep {
namespace {

TEST(ByteSearch, FindsPairsWhereAPlainSearchDoes) {
  std::mt19937 draws(1);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (std::size_t i = draws() % 80; i > 0; --i) text += "ab\xC3["[draws() % 4];
    const std::size_t from = draws() % 90;
    EXPECT_EQ(find_pair(text, 'a', 'b', from), text.find("ab", from)) << text;
    EXPECT_EQ(find_pair(text, '[', '[', from), text.find("[[", from)) << text;
  }
}

TEST(ByteSearch, TheEndOfTheTextEndsThePair) {
  const std::string text = "aaaaaaaaaaaaaaaa[[";
  EXPECT_EQ(find_pair(std::string_view(text).substr(0, 17), '[', '['), std::string_view::npos);
  EXPECT_EQ(find_pair(text, '[', '['), 16U);
  EXPECT_EQ(find_pair("", '[', '['), std::string_view::npos);
}

TEST(ByteSearch, FindsAnyOfFewAsThePlainSearchDoes) {
  std::mt19937 draws(2);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (std::size_t i = draws() % 80; i > 0; --i) text += static_cast<char>(draws() % 256);
    const std::size_t from = draws() % 90;
    EXPECT_EQ((find_any<'a', '\n', '\xC3'>(text, from)), text.find_first_of("a\n\xC3", from));
    const auto control = std::find_if(text.begin() + static_cast<std::ptrdiff_t>(std::min(from, text.size())),
                                      text.end(), [](char byte) { return static_cast<unsigned char>(byte) < ' '; });
    EXPECT_EQ(find_bytes(text, from, [](ByteBlock here, ByteBlock) { return here.at_most('\x1F'); }),
              control == text.end() ? std::string::npos : static_cast<std::size_t>(control - text.begin()));
  }
}

}  // namespace
}  // namespace bertprep
