#include "wiki/dump/page_scanner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "bertprep/base/error.h"
#include "support/memory_stream.h"
#include "twins/pages.h"

namespace bertprep {
namespace {

using test::PlainPage;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kScannedHead =
    "<mediawiki version=\"0.10\">\n  <siteinfo>\n    <base>https://xx.example.org/wiki/Main</base>\n"
    "    <namespaces>\n      <namespace key=\"-1\">Special</namespace>\n      <namespace key=\"0\" />\n"
    "      <namespace key=\"10\" case=\"first-letter\">Vorlage</namespace>\n"
    "      <namespace key=\"828\">Modul</namespace>\n    </namespaces>\n  </siteinfo>\n";
constexpr std::string_view kScannedEnd = "</mediawiki>\n";

struct Scan {
  std::vector<PlainPage> pages;
  std::vector<DumpPage> dump_pages;
  std::vector<std::string> rejected;  // "WHERE: REASON"
  std::string error;
  WikiSite site;
};

Scan scan(std::string_view dump, std::size_t block_bytes = 1000, std::set<std::size_t> gaps = {}) {
  Scan result;
  PageScanner scanner(
      "x.xml", std::make_unique<test::MemoryStream>(std::string(dump), block_bytes, std::move(gaps)),
      [&](const auto& where, const auto& reason, auto) { result.rejected.push_back(where + ": " + reason); });
  try {
    for (DumpPage page; scanner.next(page);) {
      result.pages.push_back({page.page.id, page.page.title, page.namespace_key, page.page.text});
      result.dump_pages.push_back(page);
    }
  } catch (const FormatError& error) {
    result.error = error.what();
  }
  DumpPage after;
  EXPECT_FALSE(scanner.next(after));
  result.site = scanner.site();
  return result;
}

std::string page(std::string_view title, std::string_view id, std::string_view text, std::string_view extra = "") {
  std::string out = "  <page>\n    <title>";
  out.append(title).append("</title>\n    <ns>0</ns>\n    <id>").append(id).append("</id>\n").append(extra);
  out.append("    <revision>\n      <id>7").append(id);
  out.append("</id>\n      <timestamp>2020-07-20T01:02:03Z</timestamp>\n      <text xml:space=\"preserve\">");
  return out.append(text).append("</text>\n    </revision>\n  </page>\n");
}

std::string dump_with(const std::string& pages) {
  return std::string(kScannedHead) + pages + std::string(kScannedEnd);
}

TEST(PageScanner, GivesPagesWithTheirMetadata) {
  const Scan result = scan(dump_with(page("A &amp; B", "5", "one\ntwo &lt;b&gt;\n") + page("C", "6", "x")));
  EXPECT_EQ(result.error, "");
  ASSERT_EQ(result.dump_pages.size(), 2U);
  const WikiPage& first = result.dump_pages[0].page;
  EXPECT_EQ(first.title, "A &amp; B");
  EXPECT_EQ(first.id, "5");
  EXPECT_EQ(first.revision_id, "75");
  EXPECT_EQ(first.timestamp, "2020-07-20T01:02:03Z");
  EXPECT_EQ(first.text, "one\ntwo &lt;b&gt;\n");
  EXPECT_EQ(result.dump_pages[0].byte, kScannedHead.size());
}

TEST(PageScanner, KnowsTheSite) {
  const WikiSite site = scan(dump_with(page("A", "1", "x"))).site;
  EXPECT_EQ(site.url_base, "https://xx.example.org/wiki");
  EXPECT_EQ(site.template_namespace, "Vorlage");
  EXPECT_EQ(site.module_namespace, "Modul");
  EXPECT_THAT(site.namespaces,
              testing::UnorderedElementsAre(testing::Pair("Template", "10"), testing::Pair("Special", ""),
                                            testing::Pair("\n", "0"), testing::Pair("Vorlage", "10"),
                                            testing::Pair("Modul", "828")));
}

TEST(PageScanner, LeavesRedirectsOut) {
  const Scan result =
      scan(dump_with(page("A", "1", "#REDIRECT [[B]]", "    <redirect title=\"B\" />\n") + page("B", "2", "x")));
  EXPECT_THAT(result.pages, ElementsAre(PlainPage{"2", "B", "0", "x"}));
  EXPECT_THAT(result.rejected, IsEmpty());
}

TEST(PageScanner, APageMayHaveAttributes) {
  std::string pages = page("A", "1", "x");
  pages.replace(pages.find("<page>"), 6, "<page xmlns=\"http://x/\" revision='3'>");
  EXPECT_THAT(scan(dump_with(pages)).pages, ElementsAre(PlainPage{"1", "A", "0", "x"}));
}

TEST(PageScanner, ReportsWhatItLeavesOut) {
  const Scan result = scan(
      dump_with(page("A", "1", "x") + page("B", "1", "y") + "<page><title>C</title></page>\n" + page("D", "2", "z")));
  EXPECT_EQ(result.pages.size(), 2U);
  ASSERT_EQ(result.rejected.size(), 2U);
  EXPECT_THAT(result.rejected[0], HasSubstr("x.xml: page 'B' (id 1) at byte "));
  EXPECT_THAT(result.rejected[1], HasSubstr("the page 'C' is on one line"));
  EXPECT_EQ(result.error, "");
}

TEST(PageScanner, EndsLinesAtCrToo) {
  EXPECT_THAT(scan(dump_with(page("A", "1", "a\r\nb\rc\r\r\nd\n"))).pages,
              ElementsAre(PlainPage{"1", "A", "0", "a\nb\nc\n\nd\n"}));
}

// Everything before the truncation is returned, and the error names the truncated page.
TEST(PageScanner, ATruncatedDumpGivesAllWholePagesAndAnError) {
  const std::string whole = dump_with(page("A", "1", "one") + page("B", "2", "two\nthree"));
  const std::vector<PlainPage> pages = scan(whole).pages;
  const std::size_t first_end = whole.find("</page>") + 7;
  const std::size_t second = whole.find("<page>", first_end);
  const std::size_t second_end = whole.find("</page>", second) + 7;
  const std::size_t root_end = whole.find("</mediawiki>") + 12;
  for (std::size_t size = 1; size < whole.size(); ++size) {
    const Scan result = scan(whole.substr(0, size), 64);
    EXPECT_EQ(result.pages.size(), (size >= first_end ? 1U : 0U) + (size >= second_end ? 1U : 0U)) << size;
    EXPECT_EQ(result.error.empty(), size >= root_end) << size << result.error;
    if (size >= second + 6 && size < second_end) {
      EXPECT_THAT(result.error, HasSubstr("the dump ends within the page '"));
    }
  }
  EXPECT_THAT(scan(whole.substr(0, second_end - 20)).error,
              HasSubstr("within the page 'B' (id 2), which begins at byte"));
  EXPECT_THAT(scan(whole.substr(0, second_end + 1)).error, HasSubstr("ends without </mediawiki>"));
}

TEST(PageScanner, RefusesWhatIsNoDump) {
  EXPECT_THAT(scan("").error, HasSubstr("no <mediawiki>"));
  EXPECT_THAT(scan("Some text.\n").error, HasSubstr("no <mediawiki>"));
}

TEST(PageScanner, APartOfADumpGivesItsPagesAndAnError) {
  const Scan result = scan(page("A", "1", "x"));
  EXPECT_EQ(result.pages.size(), 1U);
  EXPECT_THAT(result.error, HasSubstr("only part of one"));
}

// The schema allows it; the reference then reads nothing; so do we if the root does not identify it either.
TEST(PageScanner, ADumpMayHaveNoSiteinfo) {
  const std::string pages = page("A", "1", "x");
  const Scan read = scan("<mediawiki xml:lang=\"en\">\n" + pages + "</mediawiki>");
  EXPECT_EQ(read.pages.size(), 1U);
  EXPECT_EQ(read.error, "");
  const Scan unread = scan("<mediawiki>\n" + pages + "</mediawiki>");
  EXPECT_EQ(unread.pages.size(), 0U);
  EXPECT_THAT(unread.error, HasSubstr("no <siteinfo>"));
}

TEST(PageScanner, AGapCostsThePageUnderWay) {
  const std::string whole =
      dump_with(page("A", "1", "one") + page("B", "2", "two") + page("C", "3", "three") + page("D", "4", "four"));
  const std::size_t from = whole.find("two");
  const std::size_t to = whole.find("three") + 2;
  const Scan result = scan(whole.substr(0, from) + whole.substr(to), 50, {from});
  EXPECT_THAT(result.pages, ElementsAre(PlainPage{"1", "A", "0", "one"}, PlainPage{"4", "D", "0", "four"}));
  ASSERT_EQ(result.rejected.size(), 1U);
  EXPECT_THAT(result.rejected[0], HasSubstr("page 'B' (id 2)"));
  EXPECT_THAT(result.error, HasSubstr("at least 1 page is lost, between 'A' (id 1) and 'D'; get the file again"));
}

// After the gap is the head of a page, before it the text of another.
TEST(PageScanner, AGapInTwoPagesCostsBoth) {
  const std::string whole = dump_with(page("A", "1", "one\nmore") + page("B", "2", "two") + page("C", "3", "three"));
  const std::size_t from = whole.find("more");
  const std::size_t to = whole.find("<page>", from) + 7;
  const Scan result = scan(whole.substr(0, from) + whole.substr(to), 50, {from});
  EXPECT_THAT(result.pages, ElementsAre(PlainPage{"3", "C", "0", "three"}));
  EXPECT_THAT(result.error, HasSubstr("at least 2 pages are lost, before 'C'"));
}

TEST(PageScanner, AGapAfterAllPagesMayHaveCostSome) {
  const std::string whole = dump_with(page("A", "1", "one") + page("B", "2", "two"));
  const std::size_t from = whole.find("two");
  const Scan result = scan(whole.substr(0, from), 50, {from});
  EXPECT_THAT(result.pages, ElementsAre(PlainPage{"1", "A", "0", "one"}));
  EXPECT_THAT(result.error, HasSubstr("at least 1 page is lost, after 'A' (id 1)"));
}

TEST(PageScanner, AGapInTheHeadIsAnErrorAtOnce) {
  const std::string whole = dump_with(page("A", "1", "one") + page("B", "2", "two"));
  const std::size_t to = whole.find("<page>");
  for (const std::size_t from : {std::size_t{0}, whole.find("<base>"), whole.find("</siteinfo>")}) {
    const Scan result = scan(whole.substr(0, from) + whole.substr(to), 50, {from});
    EXPECT_THAT(result.pages, IsEmpty());
    EXPECT_THAT(result.error, HasSubstr("the head of the dump is damaged"));
  }
}

TEST(PageScanner, APageWithoutEndIsAnErrorAfterAllPages) {
  std::string dump = dump_with(page("A", "1", "one") + page("B", "2", "two") + page("C", "3", "three"));
  dump.replace(dump.find("</page>"), 7, "</pagd>");
  const Scan result = scan(dump);
  EXPECT_EQ(result.pages.size(), 2U);
  EXPECT_THAT(result.error, HasSubstr("the page 'A' (id 1) has no end"));
}

TEST(PageScanner, AGapBetweenPagesCostsNoPage) {
  const std::string whole = dump_with(page("A", "1", "one") + page("B", "2", "two"));
  const std::size_t at = whole.find("  <page>", whole.find("</page>"));
  const Scan result = scan(whole, 50, {at});
  EXPECT_EQ(result.pages.size(), 2U);
  EXPECT_THAT(result.rejected, IsEmpty());
}

TEST(PageScanner, RejectsAPageThatIsTooLongWithoutHoldingIt) {
  std::string one_line(PageText::kMaxBytes + 5'000'000, 'x');
  std::string lines;
  while (lines.size() < one_line.size()) lines += std::string(90, 'y') + '\n';
  for (std::string* text : {&one_line, &lines}) {
    const Scan result =
        scan(dump_with(page("A", "1", "a") + page("Long", "2", *text) + page("B", "3", "b")), 1U << 20U);
    EXPECT_THAT(result.pages, ElementsAre(PlainPage{"1", "A", "0", "a"}, PlainPage{"3", "B", "0", "b"}));
    ASSERT_EQ(result.rejected.size(), 1U);
    EXPECT_THAT(result.rejected[0], HasSubstr("page 'Long' (id 2) at byte "));
    EXPECT_THAT(result.rejected[0], HasSubstr("more than 16 MB"));
    EXPECT_EQ(result.error, "");
  }
}

TEST(PageScanner, ReadsALongLineThatMayStillBeHeld) {
  const std::string text(PageText::kMaxBytes - 1000, 'x');
  const Scan result = scan(dump_with(page("A", "1", text)), 1U << 20U);
  ASSERT_EQ(result.pages.size(), 1U);
  EXPECT_TRUE(result.pages[0].text == text);
}

// Dumps assembled from all relevant parts, and from similar text.
std::string made_dump(std::mt19937& random) {
  static const std::vector<std::string> kParts{"<page>",
                                               "</page>\n",
                                               "<page>\n",
                                               "<page a=\"b\">\n",
                                               "<title>T",
                                               "</title>\n",
                                               "<title />\n",
                                               "<ns>0</ns>\n",
                                               "<ns>4</ns>\n",
                                               "<id>",
                                               "1",
                                               "2",
                                               "</id>\n",
                                               "<id>3</id>\n",
                                               "<redirect title=\"x\" />\n",
                                               "<text>",
                                               "<text xml:space=\"p\">",
                                               "<text />\n",
                                               "<text a=\"/\">",
                                               "</text>\n",
                                               "</text>",
                                               "some text\n",
                                               "more",
                                               "\n",
                                               "\r\n",
                                               "\r",
                                               "<",
                                               ">",
                                               "</",
                                               "< 5\n",
                                               "<b>x</b>\n",
                                               "<>",
                                               "<\xC3\xA9>",
                                               "/>",
                                               " ",
                                               "a > b",
                                               "<revision>\n",
                                               "</revision>\n",
                                               "<timestamp>2020</timestamp>\n",
                                               "&lt;ref&gt;"};
  std::string dump(kScannedHead);
  for (std::size_t parts = random() % 60; parts-- > 0;) dump += kParts[random() % kParts.size()];
  return dump;
}

TEST(PageScanner, GivesWhatThePlainReadingGives) {
  std::mt19937 random(11);
  for (int round = 0; round < 6'000; ++round) {
    const std::string dump = made_dump(random);
    EXPECT_EQ(scan(dump, 1 + random() % 40).pages, test::plain_pages(dump)) << dump;
  }
}

}  // namespace
}  // namespace bertprep
