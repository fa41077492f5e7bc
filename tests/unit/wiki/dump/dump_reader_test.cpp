#include "wiki/dump/dump_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bertprep/base/error.h"
#include "source/input/deferred_work.h"
#include "support/temp_folder.h"
#include "unit/stream/bzip2_file.h"
#include "wiki/mediawiki_source.h"

namespace bertprep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string dump_of(const std::string& base, const std::vector<std::string>& texts,
                    const std::string& end = "</mediawiki>\n") {
  std::string dump = "<mediawiki version=\"0.10\">\n  <siteinfo>\n    <base>" + base + "/Main</base>\n  </siteinfo>\n";
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string id = std::to_string(i + 1);
    dump += "  <page>\n    <title>" + texts[i].substr(0, texts[i].find_first_of("\n&")) +
            " title</title>\n    <ns>0</ns>\n    <id>" + id + "</id>\n    <revision>\n      <id>9" + id +
            "</id>\n      <timestamp>2019-03-04T05:06:07Z</timestamp>\n      <text>" + texts[i] +
            "</text>\n    </revision>\n  </page>\n";
  }
  return dump + end;
}

std::string as_utf16(const std::string& ascii, bool big_endian) {
  std::string out(big_endian ? "\xFE\xFF" : "\xFF\xFE");
  for (const char c : ascii) big_endian ? out.append({'\0', c}) : out.append({c, '\0'});
  return out;
}

class MediawikiSourceTest : public testing::Test {
 protected:
  struct Reading {
    std::vector<Document> documents;
    std::vector<std::string> texts;     // finished
    std::vector<std::string> rejected;  // "WHERE: REASON"
    std::string error;
  };

  Reading read(const std::vector<std::filesystem::path>& files, const WikiOptions& options = {}, bool strict = false) {
    Reading reading;
    SourceOptions source_options;
    source_options.strict = strict;
    const auto sink = [&](const auto& where, const auto& reason, auto) {
      reading.rejected.push_back(where + ": " + reason);
    };
    const auto source = open_mediawiki(files, source_options, options, sink, {});
    try {
      for (SourceDocument document; source->read(document);) {
        reading.documents.push_back(document);
        if (auto rejection = document.deferred->make_worker()->finish(document)) {
          reading.rejected.push_back(rejection->where + ": " + rejection->reason);
        } else {
          reading.texts.push_back(document.text);
        }
      }
    } catch (const FormatError& error) {
      reading.error = error.what();
    }
    return reading;
  }

  test::TempFolder folder_;
};

TEST_F(MediawikiSourceTest, GivesArticlesWithTheirOrigin) {
  const auto file = folder_.write("xxwiki-20200101-pages.xml", dump_of("https://xx.org/wiki", {"one", "two"}));
  const Reading reading = read({file});
  EXPECT_EQ(reading.error, "");
  EXPECT_THAT(reading.texts, ElementsAre("one\n", "two\n"));
  const Document& second = reading.documents.at(1);
  EXPECT_EQ(second.title, "two title");
  EXPECT_EQ(second.origin.source, "xxwiki-20200101-pages.xml");
  EXPECT_EQ(second.origin.page_id, "2");
  EXPECT_EQ(second.origin.revision_id, "92");
  EXPECT_EQ(second.origin.timestamp, "2019-03-04T05:06:07Z");
  EXPECT_EQ(second.origin.url, "https://xx.org/wiki?curid=2");
  EXPECT_EQ(second.layout, ArticleLayout::kReference);
}

// The clock is given, or comes from the dump's name, or from its first revision.
TEST_F(MediawikiSourceTest, KnowsWhatTimeItIs) {
  const std::string dump = dump_of("x", {"{{CURRENTYEAR}}-{{CURRENTMONTH}}-{{CURRENTDAY}}"});
  const auto named = folder_.write("xxwiki-20200722-pages.xml", dump);
  const auto other = folder_.write("pages-12345678.xml", dump);
  EXPECT_THAT(read({named}).texts, ElementsAre("2020-07-22\n"));
  EXPECT_THAT(read({other}).texts, ElementsAre("2019-03-04\n"));
  WikiOptions options;
  options.clock = "2001-02-03T04:05:06";
  EXPECT_THAT(read({named}, options).texts, ElementsAre("2001-02-03\n"));
}

TEST_F(MediawikiSourceTest, EveryDumpHasItsOwnWiki) {
  const auto a = folder_.write("a.xml", dump_of("https://a.org/wiki", {"one"}));
  const auto b = folder_.write("b.xml.bz2", test::bzip2_stream(dump_of("https://b.org/wiki", {"two"})));
  const Reading reading = read({a, b});
  ASSERT_EQ(reading.documents.size(), 2U);
  EXPECT_EQ(reading.documents[0].origin.url, "https://a.org/wiki?curid=1");
  EXPECT_EQ(reading.documents[1].origin.url, "https://b.org/wiki?curid=1");
}

TEST_F(MediawikiSourceTest, ATruncatedDumpIsNoReasonToStop) {
  const auto a = folder_.write("a.xml", dump_of("x", {"one"}, ""));
  const auto b = folder_.write("b.xml", dump_of("x", {"two"}));
  const Reading reading = read({a, b});
  EXPECT_THAT(reading.texts, ElementsAre("one\n", "two\n"));
  EXPECT_THAT(reading.error, HasSubstr("a.xml at byte"));
  EXPECT_THAT(reading.error, HasSubstr("without </mediawiki>"));
  EXPECT_THAT(read({a, b}, {}, true).texts, ElementsAre("one\n"));
}

TEST_F(MediawikiSourceTest, RejectsPagesThatAreNotUtf8) {
  const auto file = folder_.write("a.xml", dump_of("x", {"one", "t\xFFo", "three"}));
  const Reading reading = read({file});
  EXPECT_THAT(reading.texts, ElementsAre("one\n", "three\n"));
  ASSERT_EQ(reading.rejected.size(), 1U);
  EXPECT_THAT(reading.rejected[0], HasSubstr("(id 2): "));
  EXPECT_EQ(reading.error, "");
}

TEST_F(MediawikiSourceTest, ReadsUtf16AndSaysSo) {
  for (const bool big_endian : {false, true}) {
    const Reading reading = read({folder_.write("a.xml", as_utf16(dump_of("x", {"one", "two"}), big_endian))});
    EXPECT_THAT(reading.texts, ElementsAre("one\n", "two\n"));
    EXPECT_THAT(reading.error, HasSubstr("is UTF-16"));
  }
}

TEST_F(MediawikiSourceTest, AFileOfTemplatesIsMadeFromTheDump) {
  std::string dump = dump_of("x", {"{{Hello|you}}"}, "");
  dump +=
      "  <page>\n    <title>Template:Hello</title>\n    <ns>10</ns>\n    <id>7</id>\n    <revision>\n      <text>Hello "
      "{{{1}}}!</text>\n"
      "    </revision>\n  </page>\n</mediawiki>\n";
  const auto file = folder_.write("a.xml", dump);
  WikiOptions options;
  options.templates = folder_ / "templates.txt";
  EXPECT_THAT(read({file}, options).texts, ElementsAre("Hello you!\n"));
  EXPECT_TRUE(std::filesystem::exists(options.templates));
  EXPECT_THAT(read({file}, options).texts, ElementsAre("Hello you!\n"));
  EXPECT_EQ(read({file}).texts.at(0), "");
}

TEST_F(MediawikiSourceTest, ATruncatedDumpMakesNoTemplateFile) {
  const std::string cut = dump_of("x", {"{{Hello|you}}"}, "") +
                          "  <page>\n    <title>Template:Hello</title>\n    <ns>10</ns>\n    <id>7</id>\n"
                          "    <revision>\n      <text>Hello {{{1}}}!</text>\n    </revision>\n  </page>\n";
  WikiOptions options;
  options.templates = folder_ / "templates.txt";
  const Reading reading = read({folder_.write("a.xml", cut)}, options);
  EXPECT_THAT(reading.texts, ElementsAre("Hello you!\n"));
  EXPECT_THAT(reading.error, HasSubstr("without </mediawiki>"));
  EXPECT_FALSE(std::filesystem::exists(options.templates));
}

TEST_F(MediawikiSourceTest, WordsOfTheFormatInATextEndTheArticle) {
  const auto file = folder_.write("a.xml", dump_of("x", {"a\nb &lt;/doc&gt;\nc", "d &lt;doc id=\ne"}));
  EXPECT_THAT(read({file}).texts, ElementsAre("\na\n</doc>\n", "\ne\n\n"));
}

}  // namespace
}  // namespace bertprep
