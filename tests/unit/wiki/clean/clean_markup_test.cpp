// Links, tags, tables, formulas; and unclosed markup.
#include <gtest/gtest.h>

#include "support/clean_cases.h"

namespace bertprep {
namespace {

using test::expect_all;

TEST(CleanMarkup, LinksShowTheirLabels) {
  expect_all({{"[[Foo]]s and [[Foo|bar]]", "Foos and bar"},
              {"a [[#top|↑]] [[#Top|up]] b [[#Part|c]]", "a b c"},
              {"[[Foo#Part]] [[#Part]] [[Foo#Part|p]]", "Foo Part p"},
              {"[[Mercury (planet)|]] [[Boston, Massachusetts|]]", "Mercury Boston"},
              {"[[a|b|c]]", "c"},
              {"[[Foo|a [[bar]] b]]", "a bar b"},
              {"[[Foo|''i'' {{nowrap|n n}}]]", "i n n"}});
}

TEST(CleanMarkup, TheTemplateOfABarPartsLinks) {
  expect_all({{"[[Foo{{!}}bar]] and [[Mercury (planet){{!}}]]", "bar and Mercury"},
              {"a [[:Category:Foo{{!}}b]] [[Category:Foo{{!}}b]] [[File:x.png{{!}}thumb{{!}}d]]c", "a b c"},
              {"[[Foo{{!}}''i'' {{nowrap|n}}]] [[wikt:Foo{{!}}bar]] [[Foo|a{{pipe}}b]]", "i n bar a|b"}});
}

TEST(CleanMarkup, EmptyBracketsOfCodeStay) {
  expect_all({{"call malloc() and <code>free()</code>, <nowiki>main()</nowiki> or [[realloc]]().",
               "call malloc() and free(), main() or realloc()."},
              {"'''operator=()''', operator()(), f<sub>1</sub>(), {{code|g()}}; int[] a, <code>a[]</code>",
               "operator=(), operator()(), f1(), g(); int[] a, a[]"},
              {"(f() and g()) (h(), i[])", "(f() and g()) (h(), i[])"}});
  expect_all({{"a () b, a [] b, () c", "a b, a b, c"},
              {"Foo ({{x}}) a, foo({{x}}) b, foo(<ref>x</ref>) c, foo(<!-- x -->) d, foo[{{x}}] e",
               "Foo a, foo b, foo c, foo d, foo e"},
              {"a {{x}}() b, a (()) b, [[]] c, a ()() b, a ({{x}})() b", "a b, a b, c, a b, a b"},
              {"http://x.org/f() [http://x.org/g() label] d", "label d"}});
}

TEST(CleanMarkup, AngleBracketsOfCodeStay) {
  expect_all(
      {{"<tt>std::allocator&lt;T&gt;</tt> <code>vector<nowiki><T></nowiki></code> List&lt;String&gt;",
        "std::allocator<T> vector<T> List<String>"},
       {"<code>map<int, T></code> <code>set<T></code> <kbd>&lt;br&gt;</kbd> <samp>&lt;b&gt;</samp>",
        "map<int, T> set<T> <br> <b>"},
       {"<nowiki><ref>a</ref></nowiki> <syntaxhighlight lang=c inline>a<b></syntaxhighlight>", "<ref>a</ref> a<b>"},
       {"<code>a<br>b<ref>c</ref></code> d &lt;br&gt; e <code>f &lt;g", "a b d e f <g"},
       {"a <T> b, <code>c</code> <T> d", "a b, c d"}});
}

TEST(CleanMarkup, TitlesWithAColonStay) {
  expect_all({{"[[Star Trek: First Contact]]", "Star Trek: First Contact"},
              {"[[2001: A Space Odyssey (film)|2001]] was", "2001 was"},
              {"[[s:Hamlet|Hamlet]], [[wikt:word]], [[:fr:Paris|Paris]]", "Hamlet, word, Paris"}});
}

TEST(CleanMarkup, FilesCategoriesAndLanguagesVanish) {
  expect_all({{"A[[File:x.jpg|thumb|200px|with [[link]] and {{lang|fr|mot}}]] b", "A b"},
              {"A [[Image:x.png]][[Datei:x.png|mini|Bild]][[Fichier:x|vignette|y]] b", "A b"},
              {"A [[Category:Foo]] b [[:Category:Foo]] [[:Category:Foo|c]]", "A b c"},
              {"A b [[de:Foo]] [[zh-min-nan:Foo]] [[simple:Foo]]", "A b"},
              {"See [[Wikipedia:About|here]] or [[Portal:Art]].", "See here or."}});
}

TEST(CleanMarkup, FilesAndCategoriesAreToldByTheirLook) {
  expect_all({{"A [[ስዕል:x.JPG|250px]]b", "A b"},
              {"A.\n\n[[Ẹ̀ka:Àwọn]] [[Ẹ̀ka:B]]\n[[Ẹ̀ka:C|*]]", "A."},
              {"A.\n\n[[Star Trek: Nemesis]]\n\nSee [[UN:Charter]].", "A.\nStar Trek: Nemesis\nSee UN:Charter."}});
}

TEST(CleanMarkup, AddressesVanishAndLabelsStay) {
  expect_all({{"See [http://x.org the site] and [http://y.org].", "See the site and."},
              {"At https://x.org/a_(b), or (http://y.org).", "At, or."},
              {"[//x.org label] [mailto:a@b.c mail] [http://x.org http://x.org]", "label mail"},
              {"[not a link] [http://x [[inner]] label]", "[not a link] inner label"}});
}

TEST(CleanMarkup, ReferencesVanishWhateverIsInTheirAttributes) {
  expect_all({{"A<ref name=\"a/b\">x [[y]]</ref>.", "A."},
              {"A<ref name=\"a>b\">x</ref>, b<ref name=c/>.", "A, b."},
              {"A <ref>{{cite|a}}</ref> , b", "A, b"},
              {"A<REF Name=x>y</REF >.<references responsive />", "A."},
              {"A<ref name=\"x\" group=n />.<ref>a<ref>b</ref>", "A."}});
}

TEST(CleanMarkup, RaisedAndLoweredTextStays) {
  expect_all({{"H<sub>2</sub>O, CO<sub>2</sub>", "H2O, CO2"},
              {"10<sup>6</sup> 10<sup>−3</sup> 2<sup>n</sup>", "10^6 10^−3 2^n"},
              {"3<sup>1</sup>/<sub>4</sub> 2<sup>1</sup>⁄<sub>2</sub> <sup>2</sup>/<sub>3</sub>", "3 1/4 2 1⁄2 2/3"},
              {"10<sup>1/2</sup> 2<sup>3</sup>/5", "10^1/2 2^3/5"},
              {"km<sup>2</sup> 19<sup>th</sup> Na<sup>+</sup> <sup>14</sup>C", "km2 19th Na+ 14C"},
              {"<small>small</small> <big>big</big> <s>struck</s>", "small big struck"}});
}

TEST(CleanMarkup, TagsVanish) {
  expect_all({{"a<br>b<br />c<br/ >d</br>e", "a b c d e"},
              {"a <span style=\"color:red\">b</span> <font size=2>c</font>", "a b c"},
              {"a<p>b</p><div align=center>c</div>", "a\nb\nc"},
              {"<poem>one\ntwo</poem>", "one two"},
              {"a <span style=\"display:none\">hidden</span>b", "a b"},
              {"a<gallery>\nFile:a.jpg|b\n</gallery>c <timeline>x</timeline>d", "a\nc\nd"},
              {"a < b and c > d, x<y and y>z, I <3 it", "a < b and c > d, x<y and y>z, I <3 it"},
              {"a <!-- no [[ {{ --> b\n<!-- alone -->\nc", "a b c"},
              {"if <code>a[0]</code> and <nowiki>''plain'' [x]</nowiki>", "if a[0] and ''plain'' [x]"}});
}

TEST(CleanMarkup, FormulasHaveAccentsAndSigns) {
  expect_all({{R"(<math>\bar x \tilde{x} \hat a \vec v \overline{AB}</math>)", "x̄ x̃ â v⃗ A̅B̅"},
              {R"(<math>\|x\| \lVert x\rVert \left|x\right|</math>)", "‖x‖ ‖ x‖ |x|"},
              {R"(<math>\binom{n}{k} = {n \choose k}</math>)", "C(n, k) = C(n, k)"},
              {R"(<math>\sqrt[3]{x} \sqrt[4]x \sqrt[5]{x}</math>)", "∛x ∜x ⁵√x"},
              {R"(<math>x^\mathrm{T} \operatorname*{arg\,max}_x f</math>)", "x^T arg max_x f"},
              {R"(<math>a\sin x \not= b \pmod{p}</math>)", "a sin x ≠ b (mod p)"}});
}

TEST(CleanMarkup, FormulasKeepTheirValues) {
  expect_all(
      {{R"(<math>2\frac{1}{2}</math>)", "2 1/2"},
       {R"(<math>\frac{a}{b}\frac{c}{d}</math>)", "(a/b)(c/d)"},
       {R"(<math>\frac{a}{b}x, x\frac{a}{b}, \frac1{2x}, {a \over b}^2</math>)", "(a/b)x, x(a/b), 1/(2x), (a/b)^2"},
       {R"(<math>x_{12}3 + x^{12}3 + x_{i}j + x^{2y}</math>)", "x_12 3 + x^12 3 + x_i j + x^(2y)"},
       {R"(<math>\sqrt{2}x + \sqrt{x}^2 + \sqrt{2x}</math>)", "√2 x + (√x)^2 + √(2x)"},
       {R"(<math>f \circ g, 90^\circ</math>)", "f ∘ g, 90°"}});
}

TEST(CleanMarkup, AFormulaThatFillsALineBelongsToItsSentence) {
  expect_all({{"The rule is\n:<math>a = 5</math>\nand it holds.", "The rule is a = 5 and it holds."},
              {"It is\n\n:<math>a = 5.</math>\n\nThe next.", "It is a = 5.\nThe next."},
              {"It is\n:<math>a</math>\n:<math>b</math>\nwhere b.", "It is a, b where b."},
              {"It rains.\n:<math>a</math>\nIt snows.", "It rains.\nIt snows."},
              {"{|\n| a\n:<math>a</math>\n|}\nText.", "Text."}});
}

TEST(CleanMarkup, NoHeadingBeginsInAFormula) {
  expect_all({{"A <math>a\n== b ==\nc</math> d.", "A a == b == c d."},
              {"A <chem>a\n== b ==\nc</chem> d.", "A a == b == c d."},
              {"A <nowiki>a\n== b ==\nc</nowiki> d.", "A a == b == c d."}});
}

TEST(CleanMarkup, QuotesAreThoseOfMediaWiki) {
  expect_all({{"Il lit l''''un''' et l'''autre'' ici.", "Il lit l'un et l'autre ici."},
              {"The film ''[[Lark (film)|''Lark'']]'' is old.", "The film Lark is old."},
              {"{{nowrap|''A''}}{{nowrap|''B''}} ''A''{{nowrap|''B''}}", "AB AB"},
              {"The ''Times'''s editor", "The Times's editor"},
              {"The ''''A'''' left.", "The 'A' left."}});
}

TEST(CleanMarkup, FormulasAreTextOrNothing) {
  expect_all({{"where <math>E = mc^2</math> holds", "where E = mc^2 holds"},
              {"<math>\\frac{a+b}{2}</math> <math>\\alpha \\leq \\sqrt{x}</math>", "(a+b)/2 α ≤ √x"},
              {"a <math>\\begin{matrix}1\\end{matrix}</math>, b", "a, b"},
              {"<chem>H2O</chem> <math>x_{ij}</math>", "H2O x_ij"}});
}

TEST(CleanMarkup, BoldAndItalicsArePlain) {
  expect_all({{"'''b''' ''i'' '''''bi'''''", "b i bi"},
              {"Nell'''Iliade'' di '''Omero'''", "Nell'Iliade di Omero"},
              {"the ''Times'''s view; dogs' and 'q'", "the Times's view; dogs' and 'q'"},
              {"''\"x\"'' ''unclosed\nline", "\"x\" unclosed line"}});
}

TEST(CleanMarkup, TablesVanish) {
  expect_all({{"a\n{| class=x\n! h\n|-\n| c || d\n{|\n| inner\n|}\n|}\nb", "a\nb"},
              {"a\n:{|\n| x\n|}\nb\n<table><tr><td>c</table>d", "a\nb\nd"},
              {"{{T|\n{|\n| a }} b\n|}\n}}c", "c"}});
}

TEST(CleanMarkup, ReferencesOfCharactersAreRead) {
  expect_all({{"a&nbsp;b&ndash;c &eacute;&#233;&#xe9; &amp;nbsp; &hellip;", "a b–c ééé …"},
              {"R&D, AT&T; &unknown;", "R&D, AT&T; &unknown;"},
              {"zero​width, soft­hyphen, thin space", "zerowidth, softhyphen, thin space"},
              {"&lt;b&gt;x&lt;/b&gt; &#91;&#91;x&#93;&#93;", "x x"}});
}

TEST(CleanMarkup, VariantsWhereTheWikiConverts) {
  expect_all({{"-{zh-hans:甲;zh-hant:乙}-丙", "甲丙"},
              {"-{H|zh-cn:甲;zh-tw:乙}--{T|zh-cn:甲}--{-|zh-cn:甲}--{D|zh-cn:甲;zh-tw:乙}-丙", "丙"},
              {"-{A|zh-cn:甲;zh-tw:乙}-丙", "甲丙"},
              {"-{N|zh-cn}-丙", "中文（中国大陆）丙"},
              {"-{R|a: b}-丙-{zh;zh-hans|丁}-", "a: b丙丁"},
              {"-{ zh-cn : &nbsp;甲 ; zh-tw : 乙 }-丙-{[[水|-{冰}-]]}-", "甲丙冰"}},
             "zh");
  for (const char* const language : {"en", "de", "fr", "ja"}) {
    expect_all(
        {{"A 2-{[(4-amino)phenyl]carbonyl}-3 and a-{b:c}-d.", "A 2-{[(4-amino)phenyl]carbonyl}-3 and a-{b:c}-d."}},
        language);
  }
}

TEST(CleanMarkup, WideCommasThatADroppedTemplateLeavesAreOne) {
  expect_all({{"麵包，{{cite|a}}，{{cite|b}}，水。", "麵包，水。"},
              {"麵包、{{cite|a}}、水、{{unknown|b}}。", "麵包、水。"},
              {"他（，{{unknown|y}}）去，。", "他去。"}},
             "zh");
}

TEST(CleanMarkup, SwitchesVanish) {
  expect_all({{"__NOTOC__a __FORCETOC__ b__c", "a b__c"}});
  expect_all({{"__NoToc__a __init__ __FILE__ b___c__", "a __init__ __FILE__ b___c__"}});
  expect_all({{"__KEIN_INHALTSVERZEICHNIS__a __NOTOC__ __init__", "a __init__"}}, "de");
  expect_all({{"__БЕЗ_ОГЛАВЛЕНИЯ__а __Обяз_огл__ б", "а б"}}, "ru");
  expect_all({{"__目次非表示__甲＿＿目次＿＿乙", "甲乙"}}, "ja");
  expect_all({{"__لا_وصلة_قسم_جديد__كلمة", "كلمة"}}, "ar");
  expect_all({{"__GEENINHOUD__a __x__", "a __x__"}}, "nl");
}

TEST(CleanMarkup, AnUnclosedTemplateCostsNoMoreThanItsLine) {
  expect_all({{"One {{convert|5|km\nnext line.\n\nTwo [[x]].", "One next line.\nTwo x."},
              {"{{Infobox\n| a = b\n| c = {{d\n| e\nText.\n\n== H ==\nMore {{lang|fr|mot}}.", "Text.\nMore mot."},
              {"One {{lang|fr|mot} two.", "One mot two."},
              {"One }} two }}} three |} four", "One two three four"},
              {"{{a\n== H ==\nText }} end.", "Text end."}});
}

TEST(CleanMarkup, AnUnclosedLinkCostsNoMoreThanItsMarks) {
  expect_all({{"One [[Foo|bar two.\n\nThree [[x]].", "One bar two.\nThree x."},
              {"One [[Foo|bar] two [[Foo] three.", "One bar two Foo three."},
              {"One [[File:x.jpg|thumb|caption\n\nTwo.", "One\nTwo."},
              {"One ([Foo|bar]] two, Foo|bar]] three.", "One (bar two, bar three."},
              {"One ]] two [[ three", "One two three"}});
}

TEST(CleanMarkup, AnUnclosedTableEndsAtItsLastRow) {
  expect_all({{"{| class=x\n| a\n|-\n\n| b\n\nText.\n== H ==\nMore.", "Text.\nMore."},
              {"| row\n|}\nText.\n! a !! b\n!Kung people", "Text.\n!Kung people"}});
}

TEST(CleanMarkup, AnUnclosedTagCostsNoMoreThanItsLine) {
  expect_all({{"One<ref>Smith 2001\nTwo<ref>x</ref>.", "One Two."},
              {"One<ref name=a> two<ref>x</ref>.", "One two."},
              {"One<ref>x\n== H ==\nTwo</ref>.", "One\nTwo."},
              {"One <div>two <gallery> three", "One\ntwo three"},
              {"One <!-- two\nthree", "One three"},
              {"One <nowiki> [[two]]", "One two"}});
}

TEST(CleanMarkup, TextAfterABlockIsNotPreformatted) {
  expect_all({{"One <div>two</div> three.", "One\ntwo\nthree."}, {"<center> One </center>\n two", "One"}});
}

TEST(CleanMarkup, ATagThatLostItsEndVanishesAndWordsStay) {
  expect_all({{"The ferry leaves at noon <br", "The ferry leaves at noon"},
              {"The ferry leaves <BR\nand comes back.", "The ferry leaves and comes back."},
              {"The ferry <br clear=all\nleaves <br /<br.", "The ferry leaves."},
              {"The ferry <br leaves.\n\nIt is <br\nlate if a > b.", "The ferry leaves.\nIt is late if a > b."},
              {"One &lt;br", "One"},
              {"One </div two </b three", "One\ntwo three"},
              {"One <span style=\"color: red\" two</span> <font color=red", "One two"},
              {"10<sup style=\"x\"6</sup> and a <small b</small c", "10^6 and a b c"},
              {"A<gallery\nFile:a.jpg|b\n</gallery>c", "A\nc"},
              {"One<ref>x</ref two.\n\nThree <b>four</b>.", "One two.\nThree four."},
              {"One <nowiki>[x]</nowiki two <i>three</i>", "One [x] two three"},
              {"a <brown fox, p <q and <b@c.de>", "a <brown fox, p <q and <b@c.de>"}});
}

TEST(CleanMarkup, LeftoversOfTemplatesVanish) {
  expect_all({{"the 1980scite web |url=x |title=y}} Then more.", "the 1980scite web Then more."},
              {"|x| and |α⟩ stay", ""},
              {"Both |x| and |α⟩ stay.", "Both |x| and |α⟩ stay."}});
}

}  // namespace
}  // namespace bertprep
