// Calls of defined templates, and of modules.
#include <gtest/gtest.h>

#include <initializer_list>
#include <utility>

#include "wiki/templates/template_expansion.h"
#include "wiki/templates/template_store.h"

namespace bertprep {
namespace {

using Definitions = std::initializer_list<std::pair<const char*, const char*>>;

struct Expanded {
  bool done = false;
  std::string text;
};

Expanded expand(const std::string& text, Definitions definitions) {
  const WikiSite site;
  TemplateStore store;
  for (const auto& [title, body] : definitions) store.define(title, body);
  TemplateExpander expander(site, &store);
  Expanded expanded_call;
  expanded_call.done = expander.expand(text, WikiPage(), expanded_call.text);
  return expanded_call;
}

std::string expanded_call(const std::string& text, Definitions definitions) {
  const Expanded result = expand(text, definitions);
  EXPECT_TRUE(result.done);
  return result.text;
}

TEST(TemplateCall, FillsInArguments) {
  const Definitions greet = {{"Template:Greet", "({{{1}}}, {{{name|no one}}}{{{2|}}})"}};
  EXPECT_EQ(expanded_call("{{greet|Hi}}", greet), "(Hi, no one)");
  EXPECT_EQ(expanded_call("{{Greet| Hi | name = you |x}}", greet), "(Hi, youx)");
  EXPECT_EQ(expanded_call("{{greet|1=a|1=b}}", greet), "(b, no one)");
  EXPECT_EQ(expanded_call("{{greet}}", greet), "(, no one)");
  EXPECT_EQ(expanded_call("{{greet| [[a]] }}", greet), "( [[a]] , no one)");
  EXPECT_EQ(expanded_call("{{unknown|x}}", greet), "");
}

TEST(TemplateCall, FillsInNamesAndDefaultsOfArguments) {
  EXPECT_EQ(expanded_call("{{a|n|n=x}}", {{"Template:A", "{{{ {{{1}}} }}}{{{{{{1}}}}}}"}}), "x");
  EXPECT_EQ(expanded_call("{{a|y}}", {{"Template:A", "{{{none|{{{1}}}}}}"}}), "y");
}

TEST(TemplateCall, ExpandsArgumentsAndResults) {
  const Definitions two = {{"Template:A", "[{{b|{{{1}}}}}]"}, {"Template:B", "<{{{1}}}>"}, {"Page", "page"}};
  EXPECT_EQ(expanded_call("{{a|{{lc:X}}}}", two), "[<x>]");
  EXPECT_EQ(expanded_call("{{ {{lc:A}} |1}}", two), "[<1>]");
  EXPECT_EQ(expanded_call("{{:page}}", two), "page");
  EXPECT_EQ(expanded_call("{{subst:a|{{lc:X}}}}", two), "[<x>]");
}

TEST(TemplateCall, KeepsWhatStandsInNowiki) {
  EXPECT_EQ(expanded_call("{{a}}", {{"Template:A", "&lt;nowiki&gt;{{lc:X}}&lt;/nowiki&gt;{{lc:Y}}"}}),
            "<nowiki>{{lc:X}}</nowiki>y");
  EXPECT_EQ(expanded_call("{{a}}", {{"Template:A", "&lt;nowiki&gt;{{lc:X}}\n&lt;/nowiki&gt;{{lc:Y}}"}}),
            "<nowiki>x\n</nowiki>y");
}

TEST(TemplateCall, EndsTemplatesThatCallThemselves) {
  EXPECT_EQ(expanded_call("{{a}}", {{"Template:A", "x{{a}}"}}), std::string(29, 'x'));
  EXPECT_EQ(expanded_call("{{#if:{{a}}|{{a}}}}", {{"Template:A", "x{{a}}"}}), std::string(29, 'x'));
  EXPECT_FALSE(expand("{{a}}", {{"Template:A", "{{a}}{{a}}{{a}}"}}).done);
  EXPECT_FALSE(expand("{{a|x}}", {{"Template:A", "{{a|{{{1}}}{{{1}}}{{{1}}}{{{1}}}}}"}}).done);
}

TEST(TemplateCall, EndsAChainOfTemplates) {
  const WikiSite site;
  TemplateStore store;
  for (int i = 1; i <= 40; ++i) store.define("Template:C" + std::to_string(i), "x{{c" + std::to_string(i + 1) + "}}");
  TemplateExpander expander(site, &store);
  std::string out;
  EXPECT_TRUE(expander.expand("{{c1}},{{c12}},{{c13}}", WikiPage(), out));
  EXPECT_EQ(out, std::string(29, 'x') + ',' + std::string(29, 'x') + ',' + std::string(28, 'x'));
}

TEST(TemplateCall, EndsTemplatesThatCallThemselvesInTheNameOfAnArgument) {
  EXPECT_EQ(expanded_call("{{deep}}", {{"Template:Deep", "a{{{n{{deep}}|b}}}"}}), "ab");
  EXPECT_EQ(expanded_call("{{deep|n=c}}", {{"Template:Deep", "a{{{n{{deep|m}}|{{{1|e}}}}}}"}}), "ae");
  EXPECT_EQ(expanded_call("{{a}}", {{"Template:A", "[{{{ {{b}} |1}}}]"}, {"Template:B", "({{{ {{a}} |2}}})"}}), "[1]");
}

TEST(ModuleFunctions, KnowTheModuleString) {
  EXPECT_EQ(expanded_call("{{#invoke:String|len|s=aéb}}", {}), "3");
  EXPECT_EQ(expanded_call(
                "{{#invoke:String|sub|aébcd|2|4}},{{#invoke:String|sub|s=abc|i=-2}},{{#invoke:String|sub|abc|5}}", {}),
            "ébc,bc,");
  EXPECT_EQ(expanded_call("{{#invoke:String|sublength|s=abcdef|i=2|len=3}}", {}), "cde");
  EXPECT_EQ(expanded_call("{{#invoke:String|pos|abc|2}}{{#invoke:String|pos|abc|-1}}{{#invoke:String|pos|abc|9}}", {}),
            "bc");
  EXPECT_EQ(expanded_call("{{#invoke:String|find|éabc|c|1|1}}{{#invoke:String|find|abc|x}}", {}), "40");
  EXPECT_EQ(expanded_call("{{#invoke:String|replace|abcb|b|XY}},{{#invoke:String|replace|abcb|b|X|1}}", {}),
            "aXYcXY,aXcb");
  EXPECT_EQ(expanded_call("{{#invoke:String|rep|ab|3}}{{#invoke:convert|convert|1|m}}{{#invoke:Math|max|1}}", {}), "");
}

TEST(ModuleFunctions, DoNotWriteMoreThanAPageMay) {
  const std::string many(500'000, 'a');
  EXPECT_FALSE(expand("{{#invoke:String|replace|" + many + "|a|" + many + "}}", {}).done);
}

TEST(ModuleFunctions, KnowRomanNumerals) {
  EXPECT_EQ(expanded_call("{{#invoke:Roman|main|1987}} {{#invoke:Numero romano|main|4}}{{#invoke:Roman|main|x}}", {}),
            "MCMLXXXVII IV");
}

TEST(ModuleFunctions, PrintDictionaries) {
  EXPECT_EQ(expanded_call("{{#invoke:If empty|main|a|b=it's|a\u200b\n\"'\\}}", {}),
            R"({'1': 'a', 'b': "it's", '2': 'a\u200b\n"\'\\'})");
}

TEST(ModuleFunctions, TakeTheArgumentsOfTheTemplateOfTheirName) {
  EXPECT_EQ(expanded_call("{{roman|12}}", {{"Template:Roman", "{{#invoke:Roman|main}}"}}), "XII");
  EXPECT_EQ(expanded_call("{{other|12}}", {{"Template:Other", "{{#invoke:Roman|main}}"}}), "");
  EXPECT_EQ(expanded_call("{{#invoke:If empty|main}}", {}), "");
}

}  // namespace
}  // namespace bertprep
