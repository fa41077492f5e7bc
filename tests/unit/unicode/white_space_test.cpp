#include "unicode/utf8_text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>

#include "unicode/code_points.h"

namespace bertprep {
namespace {

std::string utf8_of(char32_t point) {
  std::string text;
  unicode::append_utf8(point, text);
  return text;
}

std::set<char32_t> python_spaces() {
  std::set<char32_t> spaces{0x20, 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000};
  for (char32_t c = 0x09; c <= 0x0D; ++c) spaces.insert(c);
  for (char32_t c = 0x1C; c <= 0x1F; ++c) spaces.insert(c);
  for (char32_t c = 0x2000; c <= 0x200A; ++c) spaces.insert(c);
  return spaces;
}

TEST(Strip, RemovesPythonsWhiteSpaceAndNothingElse) {
  const auto spaces = python_spaces();
  ASSERT_EQ(spaces.size(), 29U);
  for (char32_t point = 0; point <= 0x10FFFF; ++point) {
    if (point >= 0xD800 && point < 0xE000) continue;
    const std::string character = utf8_of(point);
    const std::string text = character + "x" + character;
    const bool is_space = spaces.contains(point);
    ASSERT_EQ(strip(character), is_space ? "" : character) << std::uint32_t{point};
    ASSERT_EQ(strip(text), is_space ? "x" : text) << std::uint32_t{point};
    ASSERT_EQ(strip_end(text), is_space ? character + "x" : text) << std::uint32_t{point};
  }
}

TEST(Strip, RemovesRunsOfDifferentWhiteSpace) {
  std::string run;
  for (const char32_t point : python_spaces()) run += utf8_of(point);
  EXPECT_EQ(strip(run + "a b" + run), "a b");
  EXPECT_EQ(strip_end(run + "a b" + run), run + "a b");
  EXPECT_EQ(strip(run), "");
  EXPECT_EQ(strip(""), "");
}

TEST(WhiteSpace, IsThatOfPython) {
  std::size_t count = 0;
  for (char32_t c = 0; c < 0x110000; ++c) count += unicode::is_space(c) ? 1 : 0;
  EXPECT_EQ(count, 29U);
  EXPECT_EQ(unicode::skip_spaces(" \u3000\t\u00A0\u2003x", 0), 10U);
}

}  // namespace
}  // namespace bertprep
