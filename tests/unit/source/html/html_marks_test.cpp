#include "source/html/html_text.h"

#include <gtest/gtest.h>

#include <string>

namespace bertprep {
namespace {

TEST(HtmlMarks, PlainTextHasNone) {
  for (const char* text : {"",
                           "It rains.",
                           "a < b and c > d",
                           "x<y",
                           "if (a <b and c> d)",
                           "std::vector<int> v;",
                           "<unk> is a token",
                           "<s> It rains. </s>",
                           "AT&T, R&D; and Q&A",
                           "&copyright",
                           "& amp;",
                           "<b",
                           "< b >",
                           "</ b>x<",
                           "<3",
                           "<p",
                           "<<<>>>",
                           "<!-- no end",
                           "5 <6> 7",
                           "<bold>",
                           "&#; &#x; &#12a;",
                           "mail <a@b.org>",
                           "<div class"}) {
    EXPECT_EQ(html_marks_of(text), HtmlMarks::kNone) << text;
  }
}

TEST(HtmlMarks, RunningTextMayHaveSome) {
  for (const char* text : {"It rains.<br>It snows.", "It rains.<br />", "<b>Rain</b> falls.", "Tom &amp; Ann",
                           "wide&nbsp;here", "&#39;tis", "&#x27;tis", "A <!-- remark --> remains", "<P>It rains.",
                           "Use <code>x</code>.", "see <a href='x.org'>this</a> too", "line\n</div>\nline"}) {
    EXPECT_EQ(html_marks_of(text), HtmlMarks::kSome) << text;
  }
}

TEST(HtmlMarks, HtmlBeginsAndEndsWithATag) {
  for (const char* text :
       {"<p>It rains.</p>", "  <div class=\"a\">It <b>rains</b>.</div>\n",
        "<!DOCTYPE html>\n<html><body>x</body></html>", "<style>.a{}</style><p>x</p><script>1 < 2</script>", "<br/>",
        "<H1>Rain</H1>", "<!-- a --><p>x</p><!-- b -->", "<p\nclass='a'>x</p\n>"}) {
    EXPECT_EQ(html_marks_of(text), HtmlMarks::kWhole) << text;
  }
}

TEST(HtmlMarks, TimeIsLinear) {
  for (const char* piece : {"<!--", "<p ", "<", "&", "<!doctype html", "</", "<a b='"}) {
    std::string text;
    while (text.size() < 4'000'000) text += piece;
    html_marks_of(text);  // minutes, if quadratic
  }
}

}  // namespace
}  // namespace bertprep
