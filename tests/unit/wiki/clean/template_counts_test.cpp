// Which templates count as shown or dropped, in running text or elsewhere.
#include "wiki/clean/template_counts.h"

#include <gtest/gtest.h>

#include <string>

#include "support/clean_text.h"

namespace bertprep {
namespace {

TemplateCounts count(std::string_view title, std::string_view wikitext,
                     const WikiOptions& choice = {.holes = HoleRule::kKeep}) {
  TemplateCounts counts;
  test::clean_page(title, wikitext, choice, "en", &counts);
  return counts;
}

// "name*uses ..." of templates dropped in running text, then of those dropped elsewhere.
std::string dropped(std::string_view wikitext, const WikiOptions& choice = {.holes = HoleRule::kKeep}) {
  const TemplateCounts counts = count("Title", wikitext, choice);
  std::string names;
  for (const auto& [name, one] : counts.in_text.dropped_by_name) names += name + "*" + std::to_string(one.uses) + " ";
  names += "/";
  for (const auto& [name, one] : counts.elsewhere.dropped_by_name) names += " " + name + "*" + std::to_string(one.uses);
  return names;
}

TEST(TemplateCounts, ShownSilentAndDropped) {
  const TemplateCounts counts = count(
      "Title", "a {{Unknown_one|b}} c {{unknown one}}{{lang|fr|}} {{lang|de|d}} {{nowrap|e}}{{citation needed}}\n");
  EXPECT_EQ(counts.in_text.shown, 2U);
  EXPECT_EQ(counts.in_text.silent, 1U);
  EXPECT_EQ(counts.in_text.dropped, 3U);
  EXPECT_EQ(counts.in_text.dropped_by_name.at("unknown one").uses, 2U);
  EXPECT_EQ(counts.in_text.dropped_by_name.at("lang").uses, 1U);
  EXPECT_EQ(counts.in_text.silent_by_name.at("citation needed"), 1U);
  EXPECT_EQ(counts.elsewhere.shown + counts.elsewhere.silent + counts.elsewhere.dropped, 0U);
}

TEST(TemplateCounts, InTextOrElsewhere) {
  EXPECT_EQ(dropped("{{box}}\n{{top}} {{top}}, ''{{top}}''\na {{x}}\n"), "x*1 / box*1 top*3");
  EXPECT_EQ(dropped("{{box\n| a = b\n}}'''T''' is {{x}}."), "x*1 / box*1");
  EXPECT_EQ(dropped("[[File:A.jpg|b]] {{top}}\n[[A]] {{x}}\n"), "x*1 / top*1");
  EXPECT_EQ(dropped("* a {{item}}\n== b {{head}} ==\nc {{x}}"), "x*1 / head*1 item*1");
  EXPECT_EQ(dropped("* a {{item}}\n== b {{head}} ==\nc {{x}}", {.lists = true, .headings = true}),
            "head*1 item*1 x*1 /");
}

TEST(TemplateCounts, NestedOnesStandWhereTheirArgumentDoes) {
  EXPECT_EQ(dropped("a {{nowrap|{{x}}}} [[b|{{y}}]]"), "x*1 y*1 /");
  EXPECT_EQ(dropped("a\n{{quote|he said {{x}}}}\n{{quote|1={{y}}}}"), "x*1 / y*1");
  EXPECT_EQ(dropped("a {{unknown|b {{x}}}} c"), "unknown*1 /");
  EXPECT_EQ(dropped("* {{nowrap|a {{x}}}}\nb"), "/ x*1");
}

TEST(TemplateCounts, ReferencesGalleriesAndTablesDoNotCount) {
  EXPECT_EQ(
      dropped("a<ref>b {{x}}</ref> <gallery>\nA.jpg|{{x}}\n</gallery>\n{|\n| b {{x}}\n|}\n[[File:A.jpg|b {{x}}]]"),
      "/");
}

TEST(TemplateCounts, OnlyPagesThatAreKeptCount) {
  EXPECT_EQ(dropped("a {{x}}", {.min_length = 50}), "/");
  EXPECT_EQ(dropped("#REDIRECT [[a]] {{x}}"), "/");
}

TEST(TemplateCounts, TheSampleIsThatOfTheFirstUse) {
  TemplateCounts counts = count("R&D", "a {{x|1\n|b}} {{x|2}}{{cn}}");
  counts.add(count("Later", "a {{x|3}} {{y|4}}{{cn}}{{fact}}"));
  EXPECT_EQ(counts.in_text.silent_by_name.at("cn"), 2U);
  EXPECT_EQ(counts.in_text.silent_by_name.at("fact"), 1U);
  const DroppedTemplate& first = counts.in_text.dropped_by_name.at("x");
  EXPECT_EQ(first.uses, 3U);
  EXPECT_EQ(first.page, "R&D");
  EXPECT_EQ(first.sample, "{{x|1 |b}}");
  EXPECT_EQ(counts.in_text.dropped_by_name.at("y").page, "Later");
  EXPECT_EQ(counts.in_text.dropped, 4U);
}

TEST(TemplateCounts, SamplesEndBetweenCharacters) {
  for (const std::string shift : {"", "a", "ab"}) {
    std::string text = shift;
    for (int i = 0; i < 200; ++i) text += "語";
    const TemplateCounts counts = count("Title", "a {{x|" + text + "}}");
    std::string sample = counts.in_text.dropped_by_name.at("x").sample;
    ASSERT_TRUE(sample.ends_with("語…")) << sample;
    EXPECT_LE(sample.size(), 203U);
    EXPECT_GT(sample.size(), 199U);
  }
}

TEST(TemplateCounts, TheSampleIsWikitext) {
  const TemplateCounts counts = count("Title", "a {{x|f() <code>g<T></code>}}");
  EXPECT_EQ(counts.in_text.dropped_by_name.at("x").sample, "{{x|f() g<T>}}");
}

TEST(TemplateCounts, MarkupWithoutAnEndIsCounted) {
  EXPECT_EQ(dropped("a {{x|b} c {{y|z} d"), "x*1 y*1 /");
}

}  // namespace
}  // namespace bertprep
