#include <gtest/gtest.h>

#include "wiki/templates/parser_functions.h"
#include "wiki/templates/template_expansion.h"

namespace bertprep {
namespace {

std::string expanded(const std::string& text) {
  const WikiSite site;
  const WikiPage page;
  TemplateExpander expander(site, nullptr);
  std::string out;
  EXPECT_TRUE(expander.expand(text, page, out));
  return out;
}

TEST(ParserFunctions, If) {
  EXPECT_EQ(expanded("{{#if:x|a|b}}"), "a");
  EXPECT_EQ(expanded("{{#if: |a| b }}"), "b");
  EXPECT_EQ(expanded("{{ #IF:x| {{lc:A}} }}"), "a");
  EXPECT_EQ(expanded("{{#if:|a}}"), "");
  EXPECT_EQ(expanded("{{#if:x}}"), "");
}

TEST(ParserFunctions, IfEqual) {
  EXPECT_EQ(expanded("{{#ifeq:a|a|y|n}}"), "y");
  EXPECT_EQ(expanded("{{#ifeq:a|b|y|n}}"), "n");
  EXPECT_EQ(expanded("{{#ifeq:a||y|n}}"), "");
  EXPECT_EQ(expanded("{{#ifeq:01|1|y|n}}"), "n");
  EXPECT_EQ(expanded("{{#ifeq:a|b|y}}"), "");
}

TEST(ParserFunctions, IfPageExists) {
  EXPECT_EQ(expanded("{{#ifexist:a|b| c }}"), " c ");
  EXPECT_EQ(expanded("{{#ifexist:a|b}}"), "");
}

TEST(ParserFunctions, IfError) {
  EXPECT_EQ(expanded("{{#iferror:{{#expr:1/0}}|bad|good}}"), "bad");
  EXPECT_EQ(expanded("{{#iferror:{{#expr:1/1}}|bad|good}}"), "good");
  EXPECT_EQ(expanded("{{#iferror:{{#expr:1/1}}|bad}}"), "1.0");
  EXPECT_EQ(expanded("{{#iferror: {{#expr:1/0}} b|bad|good}}"), "bad");
  EXPECT_EQ(expanded("{{#iferror:b {{#expr:1/0}}|bad|good}}"), "good");
}

TEST(ErrorMark, IsATagAtTheStartWhoseClassNamesErrors) {
  EXPECT_TRUE(begins_with_error_mark("<span class=\"error\">x</span> y"));
  EXPECT_TRUE(begins_with_error_mark("<p id=\"a\" class=\"big error red\">"));
  EXPECT_TRUE(begins_with_error_mark("<div title=\"<\" class=\"error\">"));
  EXPECT_TRUE(begins_with_error_mark("<strong data-class=\"a\" class=\"error\">"));
  for (const char* const none :
       {"", "<>", "<span>", "<span class=\"errors\">", "<b class=\"error\">", "<spanclass=\"error\">",
        "<span class=\"error\"", "<span xclass=\"error\">", "span class=\"error\">", " <span class=\"error\">",
        "a <span class=\"error\">x</span>", "<b>x</b><p class=\"error\">", "< <div class=\"error\">"}) {
    EXPECT_FALSE(begins_with_error_mark(none)) << none;
  }
  std::string many = "<p ";
  for (int i = 0; i < 100'000; ++i) many += "xclass=\"a\"";
  EXPECT_FALSE(begins_with_error_mark(many + ">"));
}

TEST(ParserFunctions, Switch) {
  EXPECT_EQ(expanded("{{#switch:b|a=1|b=2|3}}"), "2");
  EXPECT_EQ(expanded("{{#switch:a|a|b= 2 |3}}"), "2");
  EXPECT_EQ(expanded("{{#switch:q|a=1|#default=2}}"), "2");
  EXPECT_EQ(expanded("{{#switch:q|a=1|3}}"), "");
  EXPECT_EQ(expanded("{{#switch:b|a{{!}}b=1}}"), "1");
}

TEST(ParserFunctions, LettersAndNumbers) {
  EXPECT_EQ(expanded("{{lc:ÀB}}{{uc:àb}}{{lcfirst:AB}}{{ucfirst:ab}}"), "àbÀBaBAb");
  EXPECT_EQ(expanded("{{urlencode:a b/é&}}"), "a%20b/%C3%A9%26");
  EXPECT_EQ(expanded("{{int: 012 }}{{int:x}}"), "12");
  EXPECT_EQ(expanded("{{#expr:1+1}} {{#expr:1|2}}"), "2 ");
}

}  // namespace
}  // namespace bertprep
