// Pages that are not articles are counted by the same reasons in every command.
#include "pipeline/records/completion_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "bertprep/pipeline/stages.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

using testing::ElementsAre;
using testing::Pair;

std::string page(int id, const std::string& title, const std::string& text, const std::string& more = {},
                 const std::string& namespace_key = "0") {
  return "<page>\n<title>" + title + "</title>\n<ns>" + namespace_key + "</ns>\n<id>" + std::to_string(id) + "</id>\n" +
         more + "<revision>\n<id>9</id>\n<text>" + text + "</text>\n</revision>\n</page>\n";
}

const std::string kDump =
    "<mediawiki version=\"0.10\">\n<siteinfo>\n<base>https://en.wikipedia.org/wiki/Main</base>\n</siteinfo>\n" +
    page(1, "A", "A river is long.") + page(2, "B", "#REDIRECT [[A]]") + page(3, "C", "#REDIRECT [[A]]") +
    page(7, "F", "#REDIRECT [[A]]", "<redirect title=\"A\" />\n") +
    page(8, "Template:F", "#REDIRECT [[A]]", "<redirect title=\"A\" />\n", "10") +
    page(4, "Mercury (disambiguation)", "* [[A]]\n* [[B]]") + page(5, "D", "{{stub}}") +
    page(6, "E", "Another river.") + page(9, "G", "", "<redirect title=\"A\" />\n") + "</mediawiki>\n";

const auto kReasons = ElementsAre(Pair("disambiguation page", 1U), Pair("no text", 1U), Pair("redirect", 4U));

TEST(LeftOut, FormatAndExtractCountTheSame) {
  const test::TempFolder folder;
  const auto dump = folder.write("x.xml", kDump);
  WikiOptions clean;
  clean.clean = true;
  Progress silent;
  CorpusPart part{.inputs = {dump}};
  part.wiki = clean;
  const FormatTask format{.parts = {part}, .file = folder / "x.txt"};
  const ExtractTask extract{.dumps = {dump}, .wiki = clean, .folder = folder / "x"};
  for (const std::uint64_t made : {1, 0}) {
    const StageReport formatted = format_articles(format, {}, silent);
    EXPECT_EQ(formatted.tasks_made, made);
    EXPECT_EQ(formatted.articles, 2U);
    EXPECT_THAT(formatted.left_out.by_reason(), kReasons);
    const StageReport extracted = extract_articles(extract, {}, silent);
    EXPECT_EQ(extracted.tasks_made, made);
    EXPECT_THAT(extracted.left_out.by_reason(), kReasons);
  }
}

TEST(LeftOut, IsReadBackFromARecord) {
  ReasonCounts counts;
  counts.add("no text", 3);
  counts.add("redirect", 5);
  Json record = Json::object();
  EXPECT_TRUE(reasons_in(record, kLeftOut).is_empty());
  record.add(kLeftOut, json_of(counts));
  EXPECT_EQ(reasons_in(record, kLeftOut), counts);
  counts.add(reasons_in(record, kLeftOut));
  EXPECT_THAT(counts.by_reason(), ElementsAre(Pair("no text", 6U), Pair("redirect", 10U)));
}

}  // namespace
}  // namespace bertprep
