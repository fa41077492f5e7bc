#include "report/html.h"

#include <gtest/gtest.h>

namespace bertprep::test {
namespace {

TEST(EscapedTest, LeavesNothingThatABrowserTakesForMarkup) {
  EXPECT_EQ(escaped("<script>alert('1 & \"2\"')</script>"),
            "&lt;script&gt;alert(&#39;1 &amp; &quot;2&quot;&#39;)&lt;/script&gt;");
  for (int byte = 0; byte < 256; ++byte) {
    const std::string html = escaped(std::string(1, static_cast<char>(byte)));
    for (const char sign : {'<', '>', '"', '\''}) EXPECT_EQ(html.find(sign), std::string::npos) << byte;
  }
}

TEST(EscapedTest, KeepsTextOfAllScripts) {
  const std::string text = "क्रमांक \u0645\u0631\u062d\u0628\u0627 中文 \U0001F600\n\t";
  EXPECT_EQ(escaped(text), text);
}

TEST(EscapedTest, ReplacesWhatIsNoUtf8) {
  EXPECT_EQ(escaped("a\xFF\xC3"), "a\uFFFD\uFFFD");
  EXPECT_EQ(escaped("\xE2\x80"), "\uFFFD\uFFFD");
  EXPECT_EQ(escaped("\xC0\xBCscript>"), "\uFFFD\uFFFDscript&gt;");  // an overlong '<'
}

TEST(EscapedTest, ReplacesControlCharactersAndThoseThatTurnText) {
  EXPECT_EQ(escaped(std::string_view("a\0b\x1B\x7F", 5)), "a\uFFFDb\uFFFD\uFFFD");
  EXPECT_EQ(escaped("\u0085\u009F\u00A0"), "\uFFFD\uFFFD\u00A0");
  EXPECT_EQ(escaped("\u202E\u202A\u2066\u2069"), "\uFFFD\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(escaped("\u2029\u202F\u2065\u206A\u200F"), "\u2029\u202F\u2065\u206A\u200F");
}

TEST(ElementTest, WritesAClassOnlyWhereThereIsOne) {
  EXPECT_EQ(element("p", "", "a"), "<p>a</p>");
  EXPECT_EQ(element("p", "soft", "a"), "<p class=\"soft\">a</p>");
  EXPECT_EQ(fact_row("<a>", "&"), "<tr><td>&lt;a&gt;</td><td>&amp;</td></tr>");
}

TEST(SvgNumberTest, HasTwoDecimalsAtMost) {
  EXPECT_EQ(svg_number(0), "0");
  EXPECT_EQ(svg_number(-0.001), "0");
  EXPECT_EQ(svg_number(1.5), "1.5");
  EXPECT_EQ(svg_number(100), "100");
  EXPECT_EQ(svg_number(-2.346), "-2.35");
}

TEST(HtmlFrameTest, ForbidsScriptsAndRequests) {
  const HtmlFrame frame = html_frame("</title><script>");
  EXPECT_NE(frame.head.find("content=\"default-src 'none'; style-src 'unsafe-inline'\""), std::string::npos);
  EXPECT_EQ(frame.head.find("<script"), std::string::npos);
  EXPECT_EQ(frame.head.find("url("), std::string::npos);
  EXPECT_EQ(frame.head.find("@import"), std::string::npos);
}

}  // namespace
}  // namespace bertprep::test
