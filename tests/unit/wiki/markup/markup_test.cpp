// The stages of wiki markup, one example for each of their rules.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "wiki/article_extractor.h"
#include "wiki/markup/line_filter.h"

namespace bertprep {
namespace {

class Markup : public testing::Test {
 protected:
  // The result of the stage `name`.
  std::string after(std::string_view name, const std::string& text) {
    for (const ArticleStage& stage : article_stages()) {
      if (stage.name != name) continue;
      std::string out = "left from the page before";
      const Rewrite rewrite = stage.run(tools_, page_, text, out);
      EXPECT_NE(rewrite, Rewrite::kGivenUp);
      return rewrite == Rewrite::kChanged ? out : text;
    }
    ADD_FAILURE() << "no stage " << name;
    return {};
  }

  std::string lines_of(std::string_view text) {
    std::string lines;
    filter_lines(text, lines);
    return lines;
  }

  const WikiSite site_{};
  const WikiPage page_{};
  StageTools tools_{WikiOptions(), site_, nullptr};
};

TEST_F(Markup, NestedBracesGo) {
  EXPECT_EQ(after("braces", "a{{b}}c{{d{{e}}f}}g"), "acg");
  EXPECT_EQ(after("braces", "a}}b"), "a}}b");
  EXPECT_EQ(after("braces", "a{{b"), "a{{b");
}

TEST_F(Markup, AnOpeningWithoutClosingTakesAllUpToTheLastClosing) {
  EXPECT_EQ(after("braces", "a {{b {{c}} d {{e}} f"), "a  f");
  EXPECT_EQ(after("braces", "{{a}} b {{c {{d}} e {{f}} g"), " b  g");
  EXPECT_EQ(after("tables", "a{|b|}c|}d"), "ac|}d");
}

TEST_F(Markup, BoldGoesAndItalicsBecomeDoubleQuotes) {
  EXPECT_EQ(after("quotes", "'''''a''''' '''b''' ''c''"), "a b \"c\"");
  EXPECT_EQ(after("quotes", "''&quot;x&quot;''"), "\"&quot;x&quot;\"");
  EXPECT_EQ(after("quotes", "''\"x\"''"), "\"x\"");
  EXPECT_EQ(after("quotes", "\"\"x\ny\"\""), "\"x\ny\"");
  EXPECT_EQ(after("quotes", "''a''''b''"), "\"a\"\"b\"");
}

TEST_F(Markup, QuotesDoNotPairAcrossLines) {
  EXPECT_EQ(after("quotes", "'''a\nb'''"), "a\nb");
  EXPECT_EQ(after("quotes", "''a\nb''"), "\"a\nb\"");
  EXPECT_EQ(after("quotes", "it's ''''odd'''"), "it's 'odd");
}

TEST_F(Markup, LinksLeaveTheirLabel) {
  EXPECT_EQ(after("internal links", "[[a]]s [[b|c]] [[d| e ]] [[f|g|h]] [[#i]]"), "as c e g|h #i");
  EXPECT_EQ(after("internal links", "[[a|b|[[c|d]] e]]"), "[[c|d]] e");
}

TEST_F(Markup, LinksWithColonsGo) {
  EXPECT_EQ(after("internal links", "1[[File:a.png|thumb|b [[c]]]]2[[Star Wars: X]]3[[:de:d]]4"), "1234");
  EXPECT_EQ(after("internal links", "[[w:a|b]] [[wikt:c]] [[wiktionary:d|e]] [[:f]] [[:w:g]] [[::h]]"),
            "b wikt:c e :f :w:g ::h");
}

TEST_F(Markup, AnOpenLinkKeepsTheRestRaw) {
  EXPECT_EQ(after("internal links", "[[a]] [[b [[c]] [[d]]"), "a [[b [[c]] [[d]]");
  EXPECT_EQ(after("internal links", "a]] [[b]]"), "a]] b");
}

TEST_F(Markup, ExternalLinksLeaveTheirLabel) {
  EXPECT_EQ(after("external links", "[http://a.b c d] [http://a.b] [//e f] [MAILTO:g h] http://i"),
            "c d  f h http://i");
  EXPECT_EQ(after("external links", "[http://a b [[c]] d] [http://a\nb] [http://a b\nc] [x y]"),
            "b [[c]] d b [http://a b\nc] [x y]");
  EXPECT_EQ(after("external links", "[http://a http://b/c.png] [http://a http://b.png] [http://a\u3000b]"),
            " http://b.png b");
  EXPECT_EQ(after("external links", "[http://] [tel:] [http://\"a]"), "[http://] [tel:] [http://\"a]");
}

TEST_F(Markup, SwitchesGo) {
  EXPECT_EQ(after("switches", "a__NOTOC__b__NOEDITSECTION__c__notoc__ ___TOC__"), "ab__NOEDITSECTION__c__notoc__ _");
}

TEST_F(Markup, CharacterReferencesAreReadOnce) {
  EXPECT_EQ(after("unescape", "&lt;a&gt; &amp;nbsp; &eacute;&Eacute;&thetasym;"), "<a> &nbsp; \u00E9\u00C9\u03D1");
  EXPECT_EQ(after("unescape", "&apos; &LT; &; &lt &a b; &hellip"), "&apos; &LT; &; &lt &a b; &hellip");
}

TEST_F(Markup, NumbersAreReadAsPythonReadsThem) {
  EXPECT_EQ(after("unescape", "&#65;&#x42;&#0067;&#x0000044;&#1_0_0;&#x0x45;&#\u0667\u0660;"), "ABCDdEF");
  EXPECT_EQ(after("unescape", "&#X41; &#; &#_1; &#1_; &#1__0; &#1114112; &#99999999999999999999; &#x;"),
            "&#X41; &#; &#_1; &#1_; &#1__0; &#1114112; &#99999999999999999999; &#x;");
  EXPECT_EQ(after("unescape", "&#x10FFFF;"), "\U0010FFFF");
}

TEST_F(Markup, WhatNoTextCanHoldStaysEscaped) {
  EXPECT_EQ(after("unescape", "&#0; &#xD800; &#57343;"), "&#0; &#xD800; &#57343;");
}

TEST_F(Markup, CodeIsLeftForTheSecondPass) {
  EXPECT_EQ(after("unescape", "&lt;a &lt;syntaxhighlight lang=c&gt;x &lt;\ny&lt;/syntaxhighlight&gt;&gt;"),
            "<a x &lt;\ny>");
  EXPECT_EQ(after("unescape", "&lt;syntaxhighlight&gt;x&lt;/syntaxhighlight&gt;"),
            "<syntaxhighlight>x</syntaxhighlight>");
}

TEST_F(Markup, CommentsAndTagsGo) {
  EXPECT_EQ(after("spans", "a<!-- b\nc -->d<!--e"), "ad<!--e");
  EXPECT_EQ(after("spans", "a<br/>b<BR clear=all / >c<br>d< br />e<brx/>"), "abc<br>de<brx/>");
  EXPECT_EQ(after("spans", "<b>a</b> <span x=\"y/z\">c</ span> < i>d</i > <h5>e</h5>"), "a c < i>d</i > <h5>e</h5>");
  EXPECT_EQ(after("spans", "<br <!-- /> <!-- -->"), " <!-- -->");
  EXPECT_EQ(after("spans", "<b\u00E9>x <b\u00A0>y"), "<b\u00E9>x y");
}

TEST_F(Markup, ElementsGoWithWhatTheyHold) {
  EXPECT_EQ(after("elements", "a<ref name=b>c</ref>d H<sub>2</sub>O"), "ad HO");
  EXPECT_EQ(after("elements", "<div><div>a</div></div>b< REF >c< / ref>d"), "bd");
  EXPECT_EQ(after("elements", "<ref name=\"a/b\">c</ref>"), "<ref name=\"a/b\">c</ref>");
  EXPECT_EQ(after("elements", "<re<table></table>f>a</ref>b"), "b");
}

TEST_F(Markup, FormulasAreNumbered) {
  EXPECT_EQ(after("placeholders", "<math>a</math> <math>b</math> <MATH>c</math> <math>a</math> <math x>d</math >"),
            "formula_1 formula_2 formula_3 formula_1 formula_5");
  EXPECT_EQ(after("placeholders", "<code>a</code> <math>b</math> <codex>c</code>"),
            "codice_1 formula_1 <codex>c</code>");
  EXPECT_EQ(after("placeholders", "<math>a <code>b</code>"), "<math>a codice_1");
  // The first replacement makes the third formula equal to the second.
  EXPECT_EQ(after("placeholders", "<math>x</math> <math>formula_1</math> <math><math>x</math></math>"),
            "formula_1 formula_2 formula_2");
}

TEST_F(Markup, FormulasInFormulasHaveABudget) {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "<math>" + std::to_string(i) + "</math>";
  const std::string apart = text;
  // An opening without a closing does no harm, but the last of these elements can only be found after the others are
  // replaced.
  EXPECT_EQ(after("placeholders", apart + "<math><math>x</math>").substr(2000 * 9),
            after("placeholders", apart).substr(2000 * 9) + "formula_2001");
  std::string out;
  EXPECT_EQ(tools_.placeholders.replace(apart + "<math><math>0</math>", out), Rewrite::kGivenUp);
}

TEST_F(Markup, RunsOfCharactersBecomeShorter) {
  EXPECT_EQ(after("runs", "a  b\tc \t d .... e.. <<f>> <<<"), "a b c d ... e.. \u00ABf\u00BB \u00AB<");
  EXPECT_EQ(after("brackets", "a ,:.)]\u00BB b [(\u00AB c , d"), "a,:.)]\u00BB b [(\u00ABc , d");
  EXPECT_EQ(after("commas", "a,, b,. c,,. d,,,"), "a, b. c. d,,");
}

TEST_F(Markup, LinesWithoutWordsGo) {
  EXPECT_EQ(after("nonword lines", "a\n\n\nb\n\nc"), "a\nb\n\nc");
  EXPECT_EQ(after("nonword lines", "a\n\u2014\nb\n--\n--\nc\n--"), "a\nb\n--\nc\n--");
  EXPECT_EQ(after("nonword lines", "a\n\u00B2\nb\n\u0301\nc"), "a\n\u00B2\nb\nc");
}

TEST_F(Markup, LinesThatAreNoTextGo) {
  EXPECT_EQ(lines_of("a\n:b\n{c\n|d\ne}\n(f)\n..-\n g\nh"), "a\nh\n");
  EXPECT_EQ(lines_of("a\n* b\n* c\n d\n e\n#f\n\n\ng"), "a\n d\n\ng\n");
  EXPECT_EQ(lines_of("== h ==\n a\n b\n==c\n d"), " a\n==c\n");
  EXPECT_EQ(lines_of("++a++\n++b!++\n++++"), "a.\nb!\n");
  EXPECT_EQ(lines_of("\na\n\n\nb\n"), "a\n\nb\n\n");
}

}  // namespace
}  // namespace bertprep
