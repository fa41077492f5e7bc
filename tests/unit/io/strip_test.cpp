#include "io/strip.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>

namespace bertprep {
namespace {

std::string utf8_of(char32_t point) {
  const auto tail = [&](unsigned shift) { return static_cast<char>(0x80 | (point >> shift & 0x3F)); };
  if (point < 0x80) return {static_cast<char>(point)};
  if (point < 0x800) return {static_cast<char>(0xC0 | point >> 6), tail(0)};
  if (point < 0x10000) return {static_cast<char>(0xE0 | point >> 12), tail(6), tail(0)};
  return {static_cast<char>(0xF0 | point >> 18), tail(12), tail(6), tail(0)};
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

}  // namespace
}  // namespace bertprep
