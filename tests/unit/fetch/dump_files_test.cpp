#include "fetch/dump_files.h"

#include <gtest/gtest.h>

#include "bertprep/base/error.h"
#include "fetch/pages.h"
#include "fetch/unpack.h"
#include "fetch/wikimedia.h"
#include "io/file_system.h"

namespace bertprep::test {
namespace {

std::vector<std::string> chosen(const std::vector<std::string>& names, const std::string& date = "20260701") {
  std::vector<CatalogueFile> files;
  for (const std::string& name : names) files.push_back({name});
  std::vector<std::string> result;
  const ChosenFiles choice = choose_files(files, "enwiki", date);
  for (const CatalogueFile& file : choice.articles) result.push_back(file.name);
  for (const CatalogueFile& file : choice.indexes) result.push_back("index " + file.name);
  return result;
}

using Names = std::vector<std::string>;
const std::string kStem = "enwiki-20260701-pages-articles";

TEST(DumpFiles, MultistreamBeforePlain) {
  EXPECT_EQ(chosen({kStem + ".xml.bz2", kStem + "-multistream-index.txt.bz2", kStem + "-multistream.xml.bz2",
                    kStem + "1.xml-p1p9.bz2"}),
            (Names{kStem + "-multistream.xml.bz2", "index " + kStem + "-multistream-index.txt.bz2"}));
  EXPECT_EQ(chosen({kStem + "1.xml-p1p9.bz2", kStem + ".xml.bz2"}), (Names{kStem + ".xml.bz2"}));
  EXPECT_EQ(chosen({"enwiki-20260701-pages-meta-current.xml.bz2", "dewiki-20260701-pages-articles.xml.bz2"}), Names{});
}

TEST(DumpFiles, PartsInTheOrderOfTheirPages) {
  EXPECT_EQ(chosen({kStem + "10.xml-p31p40.bz2", kStem + "2.xml-p10p20.bz2", kStem + "1.xml-p1p9.bz2",
                    kStem + "3.xml-p21p25.bz2", kStem + "3.xml-p26p30.bz2", kStem + "4.xml-p31p40.bz2"}),
            Names{});  // 4 and 10 overlap
  EXPECT_EQ(chosen({kStem + "2.xml-p10p20.bz2", kStem + "1.xml-p1p9.bz2", kStem + "3.xml-p26p30.bz2",
                    kStem + "3.xml-p21p25.bz2"}),
            (Names{kStem + "1.xml-p1p9.bz2", kStem + "2.xml-p10p20.bz2", kStem + "3.xml-p21p25.bz2",
                   kStem + "3.xml-p26p30.bz2"}));
  EXPECT_EQ(chosen({kStem + "-multistream2.xml-p10p20.bz2", kStem + "-multistream1.xml-p1p9.bz2",
                    kStem + "-multistream-index2.txt-p10p20.bz2", kStem + "-multistream-index1.txt-p1p9.bz2"}),
            (Names{kStem + "-multistream1.xml-p1p9.bz2", kStem + "-multistream2.xml-p10p20.bz2",
                   "index " + kStem + "-multistream-index1.txt-p1p9.bz2",
                   "index " + kStem + "-multistream-index2.txt-p10p20.bz2"}));
}

TEST(DumpFiles, PartsWithAGapAreNoDump) {
  EXPECT_EQ(chosen({kStem + "1.xml-p1p9.bz2", kStem + "3.xml-p21p25.bz2"}), Names{});
  EXPECT_EQ(chosen({kStem + "1.xml-p1p9.bz2", kStem + "2.xml-p11p25.bz2"}), Names{});
  EXPECT_EQ(chosen({kStem + "2.xml-p10p20.bz2"}), Names{});
}

TEST(DumpFiles, ContentFileExports) {
  const std::string stem = "enwiki-2026-07-01-p";
  EXPECT_EQ(chosen({stem + "901p2000.xml.bz2", stem + "1p900.xml.bz2", "SHA256SUMS"}, "2026-07-01"),
            (Names{stem + "1p900.xml.bz2", stem + "901p2000.xml.bz2"}));
  // A huge page has files of its own, by revision.
  EXPECT_EQ(
      chosen({stem + "902p2000.xml.bz2", stem + "901r60r90.xml.bz2", stem + "1p900.xml.bz2", stem + "901r5r50.xml.bz2"},
             "2026-07-01"),
      (Names{stem + "1p900.xml.bz2", stem + "901r5r50.xml.bz2", stem + "901r60r90.xml.bz2",
             stem + "902p2000.xml.bz2"}));
}

TEST(DumpFiles, ContentFileExportsThatLackAPartAreAnError) {
  const std::string stem = "enwiki-2026-07-01-p";
  for (const Names& parts :
       {Names{"1p900", "902p2000"}, Names{"1p900", "900p2000"}, Names{"2p900"}, Names{"1p900", "901r5r50", "903p2000"},
        Names{"1p900", "901r5r50", "901r50r90"}, Names{"1p900", "901x5"}, Names{"1p900", "2000p901"}}) {
    Names names;
    for (const std::string& part : parts) names.push_back(stem + part + ".xml.bz2");
    EXPECT_THROW(chosen(names, "2026-07-01"), FormatError) << parts.back();
  }
}

TEST(DumpFiles, Sums) {
  const std::string sha1(40, 'a');
  const std::string md5(32, 'b');
  const std::string sha256(64, 'c');
  std::vector<CatalogueFile> files;
  add_sums(sha1 + "  one.bz2\n" + md5 + " *two.bz2\r\n\nno sum here\n" + std::string(39, 'a') + "  x\n" + sha256 +
               "  ./xml/three.bz2",
           files);
  add_sums(md5 + "  one.bz2\n", files);
  ASSERT_GE(files.size(), 3U);
  EXPECT_EQ(files[0].name, "one.bz2");
  EXPECT_EQ(files[0].facts.sha1, sha1);
  EXPECT_EQ(files[0].facts.md5, md5);
  EXPECT_EQ(files[1].facts.md5, md5);
  EXPECT_EQ(files.back().name, "three.bz2");
  EXPECT_EQ(files.back().facts.sha256, sha256);
}

TEST(DumpFiles, LinksOfAListing) {
  EXPECT_EQ(linked_names("<a href=\"../\">../</a> <a href='20260701/'>x</a><a href=\"/enwiki/20260620/\">y</a>"
                         "<a href=\"?C=M\">z</a><a href=\"20260701/\">again</a><a href=\"unterminated"),
            (Names{"..", "20260701", "20260620"}));
}

TEST(DumpFiles, WikisOfLanguages) {
  EXPECT_EQ(wiki_of_language("en"), "enwiki");
  EXPECT_EQ(wiki_of_language("zh-min-nan"), "zh_min_nanwiki");
  EXPECT_EQ(wiki_of_language("be-tarask"), "be_x_oldwiki");
  for (const char* wrong : {"", "EN", "../en", "e n", "-"}) EXPECT_THROW(wiki_of_language(wrong), ConfigError) << wrong;
}

// All short texts against a plain recursion.
bool plain_match(std::string_view text, std::string_view pattern) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') {
    return plain_match(text, pattern.substr(1)) || (!text.empty() && plain_match(text.substr(1), pattern));
  }
  return !text.empty() && text[0] == pattern[0] && plain_match(text.substr(1), pattern.substr(1));
}

std::vector<std::string> all_texts(const std::string& letters, std::size_t longest) {
  std::vector<std::string> texts = {""};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].size() == longest) break;
    for (const char c : letters) texts.push_back(texts[i] + c);
  }
  return texts;
}

TEST(DumpFiles, PatternsAsPlainOnes) {
  for (const std::string& text : all_texts("ab", 5)) {
    for (const std::string& pattern : all_texts("ab*", 5)) {
      ASSERT_EQ(matches_pattern(text, pattern), plain_match(text, pattern)) << text << " " << pattern;
    }
  }
}

TEST(DumpFiles, LineBreaksDoNotDependOnBlocks) {
  const std::string text = "a\nbb\n\nc\nd";
  for (std::size_t size = 1; size <= text.size(); ++size) {
    EmptyLines breaks(2);
    std::string out;
    for (std::size_t at = 0; at < text.size(); at += size) breaks.append(std::string_view(text).substr(at, size), out);
    EXPECT_EQ(out, "a\nbb\n\n\nc\n\nd");
  }
}

}  // namespace
}  // namespace bertprep::test
