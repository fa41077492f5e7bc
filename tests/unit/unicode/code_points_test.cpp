#include "unicode/code_points.h"

#include <gtest/gtest.h>

#include <string>

namespace bertprep::unicode {
namespace {

TEST(CodePoints, AreReadBothWays) {
  for (const char32_t c : {U'a', U'\u00E9', U'\u20AC', U'\U0001F600', U'\U0010FFFF'}) {
    std::string text = "x";
    append_utf8(c, text);
    EXPECT_EQ(code_point_at(text, 1).value, c);
    EXPECT_EQ(code_point_before(text, text.size()).value, c);
    EXPECT_EQ(1 + code_point_at(text, 1).bytes, text.size());
  }
  for (const char* broken : {"\x80", "\xC3", "\xE2\x82", "\xF0\x9F\x98", "\xFF", "\xC0\x80"}) {
    EXPECT_EQ(code_point_at(broken, 0).bytes, 1U);
    EXPECT_EQ(code_point_before(broken, std::string_view(broken).size()).bytes, 1U);
  }
}

}  // namespace
}  // namespace bertprep::unicode
