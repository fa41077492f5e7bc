#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bertprep/base/error.h"
#include "support/memory_stream.h"
#include "wiki/dump/page_scanner.h"

namespace bertprep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct ElementReading {
  std::vector<std::string> pages;  // "NAMESPACE TITLE REVISION: TEXT"
  std::string left_out;
  std::string error;
  WikiSite site;
};

ElementReading read(const std::string& dump, std::size_t block_bytes) {
  ElementReading reading;
  PageScanner scanner("x.xml", std::make_unique<test::MemoryStream>(dump, block_bytes),
                      [&](const auto&, const auto& reason, auto) { reading.error += reason; });
  scanner.read_elements();
  try {
    for (DumpPage page; scanner.next(page);) {
      reading.pages.push_back(page.namespace_key + " " + page.page.title + " " + page.page.revision_id + ": " +
                              page.page.text);
    }
  } catch (const FormatError& error) {
    reading.error += error.what();
  }
  reading.left_out = scanner.take_left_out().text();
  reading.site = scanner.site();
  return reading;
}

// The same for any blocks.
ElementReading read(const std::string& dump) {
  const ElementReading whole = read(dump, dump.size());
  for (const std::size_t bytes : {1, 7, 64}) {
    const ElementReading again = read(dump, bytes);
    EXPECT_EQ(again.pages, whole.pages) << bytes;
    EXPECT_EQ(again.error, whole.error) << bytes;
  }
  return whole;
}

std::string dump_of_elements(const std::string& pages) {
  return "<mediawiki xml:lang='fr'><siteinfo><dbname>frwiki</dbname><base>https://fr.wikipedia.org/wiki/A</base>"
         "<namespaces><namespace key=\"0\"/><namespace key=\"10\">Modele</namespace></namespaces></siteinfo>" +
         pages + "</mediawiki>";
}

std::string page_of(const std::string& revisions, const std::string& title = "A", const std::string& id = "1") {
  return "<page><title>" + title + "</title><ns>0</ns><id>" + id + "</id>" + revisions + "</page>";
}

std::string revision(const std::string& id, const std::string& time, const std::string& rest) {
  return "<revision><id>" + id + "</id><timestamp>" + time + "</timestamp><contributor><id>77</id></contributor>" +
         rest + "</revision>";
}

TEST(PageElements, TagsMayStandAnywhere) {
  const ElementReading reading = read(dump_of_elements(
      page_of(revision("5", "2020", "<text xml:space=\"preserve\">one\r\ntwo &lt;b></text>")) +
      "\n<page>\n<title>\nB\n</title><ns\n>0</ns><id>2</id><revision><id>6</id><text\nbytes='>'\n>x</text\n>"
      "</revision></page>" +
      page_of("<revision><id>7</id><text/></revision>", "C", "3")));
  EXPECT_THAT(reading.pages, ElementsAre("0 A 5: one\ntwo &lt;b>", "0 B 6: x", "0 C 7: "));
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.site.url_base, "https://fr.wikipedia.org/wiki");
  EXPECT_EQ(reading.site.template_namespace, "Modele");
  EXPECT_EQ(language_of(reading.site), "fr");
}

TEST(PageElements, PrefixesCdataAndMarkupThatIsNotEscaped) {
  const ElementReading reading = read(
      "<?xml version=\"1.0\"?><!-- <page> --><m:mediawiki><m:page><m:title>A</m:title><m:id>1</m:id><m:revision>"
      "<m:text>a<br /> <b>c</b><!-- d --> 1 < 2 <![CDATA[<i> & ]]>e</m:text></m:revision></m:page></m:mediawiki>");
  EXPECT_THAT(reading.pages, ElementsAre("0 A : a<br /> <b>c</b> 1 < 2 &lt;i&gt; &amp; e"));
  EXPECT_EQ(reading.error, "");
}

TEST(PageElements, OfAPageTheNewestRevisionAndTheMainSlot) {
  const std::string slot = "<content><role>notes</role><model>json</model><text>{}</text></content>";
  const std::string main = "<content><role>main</role><model>wikitext</model><text>new</text></content>";
  const ElementReading reading = read(dump_of_elements(page_of(revision("5", "2020-01-01", "<text>old</text>") +
                                                               revision("9", "2022-01-01", "<text>new</text>" + slot) +
                                                               revision("7", "2021-01-01", "<text>mid</text>")) +
                                                       page_of(revision("10", "2022", slot + main), "B", "2")));
  EXPECT_THAT(reading.pages, ElementsAre("0 A 9: new", "0 B 10: new"));
  EXPECT_THAT(reading.left_out, HasSubstr("2 older revision"));
  EXPECT_THAT(reading.left_out, HasSubstr("2 slot other than the main one"));
}

TEST(PageElements, OnlyPagesOfWikitextAreArticles) {
  const ElementReading reading =
      read(dump_of_elements(page_of(revision("5", "2020", "<model>json</model><text>{}</text>")) +
                            page_of(revision("6", "2020", "<model>wikitext</model><text>x</text>"), "B", "2")));
  EXPECT_THAT(reading.pages, ElementsAre("0 B 6: x"));
  EXPECT_THAT(reading.left_out, HasSubstr("1 page that is not wikitext"));
}

TEST(PageElements, WithoutANamespaceTheTitleTells) {
  const std::string rest = "</title><id>1</id><revision><text>x</text></revision></page>";
  EXPECT_THAT(read(dump_of_elements("<page><title>Modele:X" + rest)).pages, ElementsAre("10 Modele:X : x"));
  EXPECT_THAT(read(dump_of_elements("<page><title>Star: X" + rest)).pages, ElementsAre("0 Star: X : x"));
}

TEST(PageElements, WhatCanNotBeReadIsRefused) {
  EXPECT_THAT(read("<?xml version='1.0' encoding='ISO-8859-1'?>" + dump_of_elements("")).error,
              HasSubstr("iso-8859-1"));
  EXPECT_THAT(read("<!DOCTYPE x [<!ENTITY a \"b\">]>" + dump_of_elements("")).error, HasSubstr("entities of its own"));
  EXPECT_THAT(read(dump_of_elements("<page><title>A</title><id>1</id><revision><text>x</page>")).error,
              HasSubstr("has no end"));
  EXPECT_THAT(read("<mediawiki><page><title>A</title><id>1</id>").error, HasSubstr("ends within the page 'A'"));
}

TEST(Languages, OfAWiki) {
  const auto language = [](std::string base, std::string root, std::string database, std::string dump) {
    WikiSite site;
    site.url_base = std::move(base);
    site.content_language = std::move(root);
    site.database = std::move(database);
    site.dump = std::move(dump);
    return language_of(site);
  };
  EXPECT_EQ(language("https://de.wikipedia.org/wiki", "en", "", ""), "de");
  EXPECT_EQ(language("https://commons.wikimedia.org/wiki", "en", "", ""), "en");
  EXPECT_EQ(language("https://wiki.example.com/w", "it", "", ""), "it");
  EXPECT_EQ(language("", "", "zh_min_nanwiki", ""), "zh-min-nan");
  EXPECT_EQ(language("", "", "", "frwiki-20260701-pages.xml"), "fr");
  EXPECT_EQ(language("", "", "my_wiki", "mywiki.xml"), "");
  EXPECT_EQ(language("https://xx.org/wiki", "", "", "x.xml"), "");
}

}  // namespace
}  // namespace bertprep
