#include "source/html/html_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

namespace bertprep {
namespace {

std::string shown(const std::string& html) {
  HtmlText reader;
  std::string text;
  const auto rejection = reader.read(html, text);
  return rejection ? "rejected: " + *rejection : text;
}

TEST(HtmlText, ShowsWhatAReaderSees) {
  const std::pair<const char*, const char*> cases[] = {
      {"<p>The town is <b>old</b> &amp; small.</p>", "The town is old & small."},
      {"<p>It rains.</p>\n<p>It snows.</p>", "It rains.\nIt snows."},
      {"<div>a<div>b</div>c</div>", "a\nb\nc"},
      {"It rains.<br/>It <i>snows</i>.<br>\n", "It rains.\nIt snows."},
      {"<ul><li>one<li>two</ul>", "one\ntwo"},
      {"<table><tr><td>a</td><td>b</td></tr><tr><th>c</th></tr></table>", "a b\nc"},
      {"<p>many\n  \t blanks</p>", "many blanks"},
      {"<pre>def f():\n    return 1\n</pre><p>after  all</p>", "def f():\n    return 1\nafter all"},
      {"a <q>b</q> c", "a “b” c"},
      {"<p>R&eacute;sum&#233; &lt;b&gt; &#x1F600;</p>", "Résumé <b> 😀"},
      {"<p>unclosed <b>bold<p>next", "unclosed bold\nnext"},
      {"Tom &amp; Ann", "Tom & Ann"},
      {"<p>5&nbsp;km wide&nbsp; &nbsp;here</p>", "5 km wide   here"},
      {"<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>字", "漢(かん)字"},
      {"<p>word<wbr>break soft&shy;hyphen</p>", "wordbreak soft\xC2\xADhyphen"},
  };
  for (const auto& [html, text] : cases) EXPECT_EQ(shown(html), text) << html;
}

TEST(HtmlText, LeavesOutWhatShowsNoText) {
  const std::pair<const char*, const char*> cases[] = {
      {"<style>.a{color:red}</style><p>It rains.</p><script>var a = '<p>';</script>", "It rains."},
      {"<!DOCTYPE html><html><head><title>T</title><meta charset='latin1'></head><body>é</body></html>", "é"},
      {"a<!-- remark -->b", "ab"},
      {"<p>seen<span style=\"DISPLAY : none\">un<b>se</b>en</span>, too</p>", "seen, too"},
      {"<p hidden>unseen</p><p>seen</p>", "seen"},
      {"<p>It rains.<sup class=\"mw-ref reference\"><a>[1]</a></sup></p>", "It rains."},
      {"<h2>Rain<span class='mw-editsection'>[<a>edit</a>]</span></h2>", "Rain"},
      {"<button>Go</button>It<svg><text>unseen</text></svg> rains.", "It rains."},
      {"<noscript>Turn it on.</noscript><textarea>unseen</textarea>It rains.", "It rains."},
      {"a<img src='x' alt='b'>c<input value='d'>e", "ace"},
  };
  for (const auto& [html, text] : cases) EXPECT_EQ(shown(html), text) << html;
}

TEST(HtmlText, NumbersKeepTheirValue) {
  EXPECT_EQ(shown("<p>10<sup>2</sup> m, H<sub>2</sub>O, 1<sup>st</sup>, x<sup>2</sup></p>"), "10^2 m, H2O, 1st, x2");
  EXPECT_EQ(shown("<p>10<sup>−2</sup> and 5<sup>-3</sup></p>"), "10^−2 and 5^-3");
  EXPECT_EQ(shown("<p>101<sub>2</sub></p>"), "101_2");
  EXPECT_EQ(shown("<p>3<sup>1</sup>/<sub>4</sub> inches</p>"), "3 1/4 inches");
}

TEST(HtmlText, FormulasAreTheirAlternativeText) {
  EXPECT_EQ(shown("<p>The norm <span style='display: none'><math alttext=\"{\\displaystyle |x|}\"><mi>x</mi>"
                  "<annotation>unseen</annotation></math></span><img alt='|x|'> is small.</p>"),
            "The norm |x| is small.");
  EXPECT_EQ(shown("<p><math><mi>a</mi><mo>+</mo><mi>b</mi><annotation>unseen</annotation></math> is even.</p>"),
            "a+b is even.");
}

TEST(HtmlText, RejectsWhatItDoesNotKnow) {
  EXPECT_EQ(shown("<p>if x <y then</p>"), "rejected: <y> in HTML, which has no such element");
  EXPECT_EQ(shown("<p>vector<int> v</p>"), "rejected: <int> in HTML, which has no such element");
  EXPECT_EQ(shown("<my-card>It <o:p>rains</o:p>.</my-card>"), "It rains.");
  EXPECT_EQ(shown("<p> </p>"), "rejected: HTML without text");
  EXPECT_EQ(shown(std::string("<p>a\0b</p>", 10)), "rejected: HTML with a NUL");
}

TEST(HtmlText, ReadsHugeAndDeepHtml) {
  std::string paragraphs, deep;
  for (int i = 0; i < 100'000; ++i) paragraphs += "<p>It rains in the hills, and the river rises.</p>";
  const std::string text = shown(paragraphs);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 99'999);
  for (int i = 0; i < 20'000; ++i) deep += "<div>a";
  EXPECT_EQ(shown(deep).size(), 39'999U);
  EXPECT_EQ(shown("<p>" + std::string(20'000'000, 'a') + "</p>").size(), 20'000'000U);
}

TEST(HtmlText, OneReaderReadsManyTexts) {
  HtmlText reader;
  std::string text;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_FALSE(reader.read("<div hidden><p>unclosed", text) == std::nullopt);
    ASSERT_FALSE(reader.read("<pre>open  <q>a", text));
    EXPECT_EQ(text, "open  “a”");
    ASSERT_FALSE(reader.read("<p>two  words</p>", text));
    EXPECT_EQ(text, "two words");
  }
}

}  // namespace
}  // namespace bertprep
