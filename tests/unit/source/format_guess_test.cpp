#include "source/format_guess.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "bertprep/source/open_source.h"
#include "source/input/input_list.h"
#include "support/packed.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

using testing::HasSubstr;

std::string guess(const std::string& sample, bool may_be_book = false) {
  return std::string(name_of(guess_format_of(sample, false, may_be_book, "x")));
}

const std::string kSentences = "A first sentence .\nA second one .\n\nAnother article .\nIt ends here .\n\n";
const std::string kWikitext = " \n = A Title = \n \n Text . \n \n = = Part = = \n \n More text . \n";
const std::string kJsonl = "\n {\"text\": \"a\"}\n{\"text\": \"b\"}\n";

TEST(FormatGuess, KnowsEachFormatByItsContent) {
  EXPECT_EQ(guess(kJsonl), "jsonl");
  EXPECT_EQ(guess("\xEF\xBB\xBF{}\n"), "jsonl");
  EXPECT_EQ(guess(kWikitext), "wikitext");
  EXPECT_EQ(guess(kSentences), "sentences");
  EXPECT_EQ(guess("One article .\nAnother article .\n"), "articles");
}

TEST(FormatGuess, TakesATxtFileOfAFolderAsABook) {
  EXPECT_EQ(guess(kSentences, true), "books");
  EXPECT_EQ(guess("CHAPTER I\nCaf\xE9\n", true), "books");
  EXPECT_EQ(guess(kWikitext, true), "wikitext");
  EXPECT_EQ(guess(kJsonl, true), "jsonl");
}

TEST(FormatGuess, TakesLongLinesAsArticles) {
  const std::string article = std::string(2001, 'a') + "\n";
  EXPECT_EQ(guess(article + article, true), "articles");
  EXPECT_EQ(guess(article + "\n" + article + "\n"), "articles");
}

TEST(FormatGuess, TakesSingleLinesBetweenBlankLinesAsArticles) {
  EXPECT_EQ(guess("One article .\n\nAnother article .\n\n"), "articles");
}

TEST(FormatGuess, ATitleNeedsBlankNeighbours) {
  EXPECT_EQ(guess("a\n = A Title = \nb\n"), "articles");
}

TEST(FormatGuess, ABraceAloneIsNoJson) {
  EXPECT_EQ(guess("{curly} words\n"), "articles");
}

TEST(FormatGuess, RefusesWhatFitsNoFormat) {
  const auto failure = [](const std::string& sample) {
    try {
      return guess(sample);
    } catch (const FormatError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_THAT(failure(std::string("BZh9\0\x01", 6)), HasSubstr("x: this is not text"));
  EXPECT_THAT(failure("<?xml version=\"1.0\"?>\n<rss>"), HasSubstr("XML"));
  EXPECT_THAT(failure("<feed>\n<doc>\n<title>"), HasSubstr("XML"));
  EXPECT_THAT(failure("Caf\xE9\n"), HasSubstr("not UTF-8"));
}

std::string failure(const std::string& sample, bool is_truncated = false) {
  try {
    return "taken as " + std::string(name_of(guess_format_of(sample, is_truncated, false, "x")));
  } catch (const FormatError& error) {
    return error.what();
  }
}

TEST(FormatGuess, NamesWhatIsForeign) {
  for (const char* page : {"\n<html>\n", "<!DOCTYPE html>\n<p>", "<!-- saved -->\n<!doctype HTML PUBLIC \"x\">\n",
                           "<HTML lang=\"en\">\n<HEAD>", "<head>\n"}) {
    EXPECT_THAT(failure(page), HasSubstr("this is HTML: a page was saved instead of the text")) << page;
  }
  EXPECT_THAT(failure("<?xml version=\"1.0\"?>\n<TEI xmlns=\"\">"), HasSubstr("this is XML: its root is <TEI>"));
  EXPECT_THAT(failure("%PDF-1.4\n\x01"), HasSubstr("this is PDF; extract its text first: pdftotext"));
  EXPECT_THAT(failure("version https://git-lfs.github.com/spec/v1\noid"), HasSubstr("git lfs pull"));
  EXPECT_THAT(failure(std::string("PAR1\0", 5)), HasSubstr("this is Parquet; write its rows as JSON Lines"));
}

// As Windows' programs save it.
std::string wide(std::string_view text, bool has_mark, bool is_big = false) {
  std::string bytes = has_mark ? (is_big ? "\xFE\xFF" : "\xFF\xFE") : "";
  for (const char c : text) bytes += is_big ? std::string{'\0', c} : std::string{c, '\0'};
  return bytes;
}

TEST(FormatGuess, NamesUtf16AndTheCommandThatConverts) {
  for (const std::string_view text : {"id,text\n1,It rains.\n", "{\"text\": \"It rains.\"}\n", "It rains.\n"}) {
    EXPECT_EQ(failure(wide(text, true)),
              "x: this is UTF-16, not UTF-8; convert it: iconv -f UTF-16 -t UTF-8 FILE > FILE.utf8");
    EXPECT_THAT(failure(wide(text, true, true)), HasSubstr("iconv -f UTF-16 -t"));
    EXPECT_THAT(failure(wide(text, false)), HasSubstr("this is UTF-16LE, not UTF-8; convert it: iconv -f UTF-16LE"));
    EXPECT_THAT(failure(wide(text, false, true)), HasSubstr("this is UTF-16BE, not UTF-8"));
    EXPECT_EQ(guess(wide(text, false), true), "books");
  }
  EXPECT_THAT(failure(std::string("\xFF\xFE\0\0a\0\0\0", 8)), HasSubstr("iconv -f UTF-32 -t UTF-8"));
  EXPECT_EQ(unformatted_kind(wide("It rains.\n", true))->what, "UTF-16, not UTF-8");
}

// Its titles are not found, and their articles would become one, or one for each paragraph.
TEST(FormatGuess, TellsFormattedTextFromWhatMustBeFormatted) {
  const auto kind = [](std::string_view text) {
    const auto found = unformatted_kind(text);
    return found ? found->what : "";
  };
  EXPECT_EQ(kind("{\"text\": \"One.\"}\n"), "JSON");
  EXPECT_EQ(kind("\xEF\xBB\xBF\n[{\"text\": \"One.\"}]"), "JSON");
  EXPECT_EQ(kind("<mediawiki xml:lang=\"en\">\n"), "a dump of a wiki");
  EXPECT_EQ(kind("<doc id=\"1\" title=\"A\">\n"), "<doc> elements");
  EXPECT_EQ(kind("\x89HDF\r\n\x1A\n"), "HDF5");
  EXPECT_THAT(kind("<!DOCTYPE html>\n<p>"), testing::StartsWith("HTML"));
  for (const char* text : {"", "\n", "One came. Two went.\n", "{braces} in prose.\n", "[1] A note.\n",
                           "<b>Bold</b> is an element.\n", "< is less.\n"}) {
    EXPECT_EQ(kind(text), "") << text;
  }
}

TEST(FormatGuess, RefusesWikitextWithCarriageReturns) {
  std::string text;
  for (const char c : kWikitext) text += c == '\n' ? "\r\n" : std::string(1, c);
  EXPECT_THAT(failure(text),
              HasSubstr("x: this is WikiText whose lines end in CR LF; make them end in LF: tr -d '\\r'"));
  EXPECT_EQ(failure("It rains.\r\n\r\n1 = 1\r\n"), "taken as articles");
}

TEST(FormatGuess, LooksBehindManyBlankLines) {
  const test::TempFolder folder;
  const auto file = folder.write("late.txt", std::string(3'000'000, '\n') + kWikitext);
  EXPECT_EQ(name_of(guess_format(list_inputs(std::array{file}))), "wikitext");
}

TEST(FormatGuess, KnowsJsonThatIsNoJsonLines) {
  EXPECT_EQ(guess("[\n  {\n    \"text\": \"a\"\n  }\n]\n"), "jsonl");
  EXPECT_EQ(guess("[{\"text\": \"a\"}]"), "jsonl");
  EXPECT_THAT(failure("{\n  \"text\": \"a\"\n}\n"),
              HasSubstr("an object that spans several lines; write one object per line: jq -c"));
  EXPECT_THAT(failure("{\"data\": [\n  {\"text\": \"a\"}\n]}\n"), testing::StartsWith("taken as jsonl"));
  EXPECT_THAT(failure("{\"data\": {\n  \"text\": \"a\"}\n}\n"), HasSubstr("an object that spans several lines"));
  EXPECT_THAT(failure("[\"a\",\n\"b\"]"), HasSubstr("a JSON array of strings; write one object per line: jq -c"));
}

TEST(FormatGuess, KnowsTables) {
  EXPECT_EQ(guess("id,title,text\n1,A,\"It rains, he said:\n\"\"So.\"\"\"\n2,B,x\n"), "csv");
  EXPECT_EQ(guess("id;text\r\n1;a b\r\n"), "csv");
  EXPECT_EQ(guess(",text\n0,\"" + std::string(5000, 'a') + "\"\n1,b"), "csv");
  EXPECT_EQ(guess("id\ttext\n1\tIt rains, a bit.\n"), "tsv");
  EXPECT_THAT(failure("0\tIt rains.\n1\tIt snows.\n"),
              HasSubstr("this is TSV whose columns have no names; put a line"));
  EXPECT_EQ(failure("id,text\n1,a\n2,\"cut", true), "taken as csv");
  EXPECT_EQ(guess("id,text\n1,a\n2\n3,a\n4,a\n5,a\n6,a\n7,a\n8,a\n9,a\n10,a\n"), "csv") << "a bad record";
  EXPECT_EQ(guess("id,text\n1,a\n2,b\n", true), "books") << "a book may look like anything";
}

TEST(FormatGuess, BelievesTheNameOfATable) {
  constexpr std::string_view kBad = "id,text\n1,a\n2\n3\n";
  const auto guess_named = [&](const std::string& name) {
    return std::string(name_of(guess_format_of(kBad, false, false, name)));
  };
  EXPECT_EQ(guess_named("folder/rows.csv"), "csv");
  EXPECT_EQ(guess_named("rows.CSV.gz"), "csv");
  EXPECT_EQ(guess_named("rows.txt"), "articles");
  EXPECT_EQ(guess_named("rows.tsv"), "articles") << "its first line holds no columns";
}

TEST(FormatGuess, TakesProseWithCommasForProse) {
  for (const char* prose : {"Red, green and blue .\nOne, two and three .\n", "Well, yes.\nOh, no.\n",
                            "Rain; snow.\nSun; wind.\n", "Hello,World\n", "one , two\nthree , four\n",
                            "A line\nwith a \t tab\n", "a,b\nc,d,e\n", "1,000 men\n2,000 women\n.\n"}) {
    EXPECT_EQ(guess(prose), "articles") << prose;
  }
}

TEST(FormatGuess, AcceptsACharacterTruncatedByTheEndOfTheSample) {
  EXPECT_EQ(guess_format_of("a\n\xF0\x9F\x98", true, false, "x"), InputFormat::kArticles);
  EXPECT_THROW(guess_format_of("a\n\xF0\x9F\x98", false, false, "x"), FormatError);
  EXPECT_THROW(guess_format_of("\xFF"
                               "abcd",
                               true, false, "x"),
               FormatError);
}

TEST(FormatGuess, KnowsWhatComesFromWikis) {
  for (const char* dump : {"<mediawiki xmlns=\"\">", "<mediawiki>", "\n  <page>\n    <title>A</title>", "<mediawiki\n",
                           "\xEF\xBB\xBF<?xml version=\"1.0\"?>\n<!-- made\n by hand --><!DOCTYPE x>\n<mediawiki>"}) {
    EXPECT_EQ(guess(dump), "mediawiki") << dump;
  }
  EXPECT_EQ(guess("\n<doc id=\"1\" url=\"x\" title=\"T\">\nT\n"), "wikiextractor");
  EXPECT_EQ(guess("<mediawikis are\nmany\nof them\n"), "articles");
}

class ResolveFormatTest : public testing::Test {
 protected:
  std::string resolve(const std::vector<std::filesystem::path>& inputs) {
    return std::string(name_of(resolve_format(inputs, {})));
  }
  test::TempFolder folder_;
};

TEST_F(ResolveFormatTest, LooksAtTheContentNotAtTheName) {
  EXPECT_EQ(resolve({folder_.write("a.txt", kJsonl)}), "jsonl");
  EXPECT_EQ(resolve({folder_.write("b.jsonl", kSentences)}), "sentences");
}

TEST_F(ResolveFormatTest, PassesOverBlankFiles) {
  folder_.write("d/part-0", "");
  folder_.write("d/part-1", " \n");
  folder_.write("d/part-2", kJsonl);
  EXPECT_EQ(resolve({folder_ / "d"}), "jsonl");
}

TEST_F(ResolveFormatTest, KnowsAFolderOfBooks) {
  folder_.write("d/a.txt", "CHAPTER I\n\nIt was late.\nHe slept.\n");
  EXPECT_EQ(resolve({folder_ / "d"}), "books");
  EXPECT_EQ(resolve({folder_ / "d/a.txt"}), "articles");
}

TEST_F(ResolveFormatTest, PassesOverBinaryFilesAmongBooks) {
  folder_.write("d/a.txt", std::string_view("\0\1\2", 3));
  EXPECT_THROW(resolve({folder_ / "d"}), FormatError);
  folder_.write("d/b.txt", "CHAPTER I\n\nIt was late.\nHe slept.\n");
  EXPECT_EQ(resolve({folder_ / "d"}), "books");
}

TEST_F(ResolveFormatTest, LooksIntoCompressedFilesAndArchives) {
  EXPECT_EQ(resolve({folder_.write("a.txt", test::compress("gzip", kJsonl))}), "jsonl");
  EXPECT_EQ(resolve({folder_.write("dump", test::compress("bzip2", "<mediawiki>\n"))}), "mediawiki");
  const std::vector<test::PackedMember> members{{".hidden", "{\"a\":1}"}, {"blank", "\n"}, {"b", kSentences}};
  for (const char* format : {"zip", "ustar", "7zip"}) {
    EXPECT_EQ(resolve({folder_.write("x.zip", test::pack("none", format, members))}), "sentences");
  }
  EXPECT_EQ(resolve({folder_.write("y", test::pack("zstd", "ustar", members))}), "sentences");
}

TEST_F(ResolveFormatTest, KnowsAnArchiveOfBooks) {
  const std::string book = "CHAPTER I\n\nIt was late.\nHe slept.\n";
  EXPECT_EQ(resolve({folder_.write("x.zip", test::pack("none", "zip", {{"a.txt", book}}))}), "books");
  folder_.write("d/a.txt.gz", test::compress("gzip", "Caf\xE9 noir\n"));
  EXPECT_EQ(resolve({folder_ / "d"}), "books");
  folder_.write("e/a.txt", std::string_view("\xFF\xFE"
                                            "a\0\n\0",
                                            6));
  EXPECT_EQ(resolve({folder_ / "e"}), "books");
}

TEST_F(ResolveFormatTest, NamesBlankInputAndPipes) {
  EXPECT_THROW(resolve({folder_.write("a", " \n")}), FormatError);
  EXPECT_THROW(resolve({"/dev/null"}), IoError);
  EXPECT_THROW(resolve({folder_ / "absent"}), IoError);
}

TEST_F(ResolveFormatTest, GivesTheFormatThatIsNamed) {
  const std::vector<std::filesystem::path> inputs{folder_.write("a", kJsonl)};
  EXPECT_EQ(resolve_format(inputs, {.format = InputFormat::kArticles}), InputFormat::kArticles);
  EXPECT_THROW(input_format("parquet"), ConfigError);
  EXPECT_THROW(resolve_format(inputs, {.text_field = ""}), ConfigError);
}

}  // namespace
}  // namespace bertprep
