// Random markup leaves no residue, and hostile markup takes linear time.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <optional>
#include <random>

#include "support/clean_rules.h"
#include "support/clean_text.h"
#include "unicode/utf8_text.h"
#include "wiki/clean/markup/chars.h"
#include "wiki/clean/template_counts.h"

namespace bertprep {
namespace {

constexpr std::string_view kTokens[] = {"{{",
                                        "}}",
                                        "{{{",
                                        "}}}",
                                        "[[",
                                        "]]",
                                        "[",
                                        "]",
                                        "{|",
                                        "|}",
                                        "|-",
                                        "|",
                                        "\n",
                                        "\n\n",
                                        "''",
                                        "'''",
                                        "<ref>",
                                        "</ref>",
                                        "<ref name=\"a/b\">",
                                        "<ref name=x/>",
                                        "<br>",
                                        "<div>",
                                        "</div>",
                                        "<nowiki>",
                                        "</nowiki>",
                                        "<math>",
                                        "</math>",
                                        "<!--",
                                        "-->",
                                        "\n== h ==\n",
                                        "\n*",
                                        "#",
                                        ":",
                                        ";",
                                        " ",
                                        "a",
                                        "b c",
                                        "http://x.y ",
                                        "[http://a b]",
                                        "&amp;",
                                        "&lt;",
                                        "&nbsp;",
                                        "convert",
                                        "lang",
                                        "|fr|",
                                        "quote|",
                                        "=",
                                        "(",
                                        ")",
                                        ",",
                                        ".",
                                        "\"",
                                        "1",
                                        "10",
                                        "km",
                                        "File:",
                                        "Category:",
                                        "Foo:",
                                        "<sup>",
                                        "</sup>",
                                        "<table>",
                                        "</table>",
                                        "__",
                                        "NOTOC",
                                        "-{",
                                        "}-",
                                        "-",
                                        "é",
                                        "漢",
                                        "\xC2\xA0",
                                        "“",
                                        "”",
                                        "<",
                                        ">",
                                        "/",
                                        "x^2",
                                        "\\frac",
                                        "{",
                                        "}",
                                        "nowrap|",
                                        "as of|2014",
                                        "date|",
                                        "unité|",
                                        "s2|IX|",
                                        "bd|",
                                        "إنج|",
                                        "XXe siècle",
                                        "formatnum:",
                                        "$",
                                        "_",
                                        "!",
                                        "<gallery>",
                                        "<poem>",
                                        "<code>",
                                        "</code>",
                                        "&lt;",
                                        "()",
                                        "[]",
                                        "{{!}}",
                                        "<T>",
                                        "f",
                                        "<br",
                                        "<br\n",
                                        "</div",
                                        "<span",
                                        " class=x"};

constexpr std::string_view kLanguages[] = {"en", "fr", "zh", "ar", "de"};

TEST(CleanRandom, NoMarkupIsLeft) {
  std::mt19937 random(7);
  for (int round = 0; round < 40000; ++round) {
    std::string text;
    for (int length = static_cast<int>(random() % 40); length > 0; --length) {
      text += kTokens[random() % std::size(kTokens)];
    }
    const WikiOptions choice{.lists = round % 2 == 0, .headings = round % 3 == 0};
    TemplateCounts counts;
    const std::string language(kLanguages[static_cast<std::size_t>(round) % std::size(kLanguages)]);
    auto result = test::clean_page("T", text, choice, language, &counts);
    if (language == "fr") replace_all(result.lines, " ;", ";");  // as French is written
    ASSERT_EQ(test::broken_rule(text, result.lines), "") << language << ": " << text << "\n=> " << result.lines;
    ASSERT_EQ(find_invalid_utf8(result.lines), std::nullopt) << text;
  }
}

double seconds_for(std::string_view unit, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += unit;
  const std::clock_t begin = std::clock();
  TemplateCounts counts;
  test::clean_page("T", text, {}, "en", &counts);
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

// Eight times the text may take at most twenty times as long, on a busy machine; quadratic time would be 64 times.
TEST(CleanRandom, TimeGrowsWithTheLengthOnly) {
  for (const auto* unit : {"{{",         "[[",          "{|\n",       "<ref>",      "<ref name=\"a\">",
                           "{{lang|fr|", "[[a|b ",      "[http://x ", "'''x ",      "<!--",
                           "<nowiki>",   "<math>",      "&amp;",      "{{convert|", "()",
                           "}}",         "[[a]]",       "{{{{{",      "<table>",    "x|y]] ",
                           "{{hlist|a|", "<a \"",       "w:",         "|a=b",       "{{#if:",
                           "{{a}}",      "<ref><ref/>", "(\"",        "__",         "f()",
                           "<code>&lt;", "[[a{{!}}",    "</code>"}) {
    double few = 1e9;
    double many = 1e9;
    for (int round = 0; round < 3; ++round) {
      few = std::min(few, seconds_for(unit, 25000));
      many = std::min(many, seconds_for(unit, 200000));
      if (many < 20 * few) break;
    }
    EXPECT_LT(many, 20 * few + 0.05) << unit;
  }
}

TEST(CleanRandom, DepthIsBounded) {
  for (const auto& [open, close] : {std::pair<std::string, std::string>("{{lang|fr|", "}}"),
                                    {"[[a|", "]]"},
                                    {"{|\n", "\n|}"},
                                    {"<table>", "</table>"},
                                    {"{{#if:x|", "}}"},
                                    {"<div>", "</div>"}}) {
    std::string text;
    for (int i = 0; i < 100000; ++i) text += open;
    text += "x";
    for (int i = 0; i < 100000; ++i) text += close;
    TemplateCounts counts;
    EXPECT_EQ(test::broken_rule(text, test::clean_page("T", text, {}, "en", &counts).lines), "") << open;
  }
}

}  // namespace
}  // namespace bertprep
