#include "source/format_guess.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "bertprep/source/open_source.h"
#include "source/input/input_list.h"
#include "support/golden_data.h"
#include "support/packed.h"
#include "support/read_text.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

using testing::HasSubstr;

std::string guess_of(const std::string& sample, bool may_be_book = false) {
  return std::string(name_of(guess_format_of(sample, false, may_be_book, "x")));
}

const std::string kSentences = "A first sentence .\nA second one .\n\nAnother article .\nIt ends here .\n\n";
const std::string kWikitext = " \n = A Title = \n \n Text . \n \n = = Part = = \n \n More text . \n";
const std::string kJsonl = "\n {\"text\": \"a\"}\n{\"text\": \"b\"}\n";

TEST(FormatGuess, KnowsEachFormatByItsContent) {
  EXPECT_EQ(guess_of(kJsonl), "jsonl");
  EXPECT_EQ(guess_of("\xEF\xBB\xBF{}\n"), "jsonl");
  EXPECT_EQ(guess_of(kWikitext), "wikitext");
  EXPECT_EQ(guess_of(kSentences), "sentences");
  EXPECT_EQ(guess_of("One article .\nAnother article .\n"), "articles");
}

TEST(FormatGuess, TakesATxtFileOfAFolderAsABook) {
  EXPECT_EQ(guess_of(kSentences, true), "books");
  EXPECT_EQ(guess_of("CHAPTER I\nCaf\xE9\n", true), "books");
  EXPECT_EQ(guess_of(kWikitext, true), "wikitext");
  EXPECT_EQ(guess_of(kJsonl, true), "jsonl");
}

TEST(FormatGuess, TakesLongLinesAsArticles) {
  const std::string article = std::string(2001, 'a') + "\n";
  EXPECT_EQ(guess_of(article + article, true), "articles");
  EXPECT_EQ(guess_of(article + "\n" + article + "\n"), "articles");
}

TEST(FormatGuess, TakesSingleLinesBetweenBlankLinesAsArticles) {
  EXPECT_EQ(guess_of("One article .\n\nAnother article .\n\n"), "articles");
}

TEST(FormatGuess, ATitleNeedsBlankNeighbours) {
  EXPECT_EQ(guess_of("a\n = A Title = \nb\n"), "articles");
}

TEST(FormatGuess, ABraceAloneIsNoJson) {
  EXPECT_EQ(guess_of("{curly} words\n"), "articles");
}

TEST(FormatGuess, RefusesWhatFitsNoFormat) {
  const auto failure = [](const std::string& sample) {
    try {
      return guess_of(sample);
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
    EXPECT_EQ(guess_of(wide(text, false), true), "books");
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
  EXPECT_EQ(name_of(guess_format(list_inputs(std::array{file})).format), "wikitext");
}

TEST(FormatGuess, KnowsJsonThatIsNoJsonLines) {
  EXPECT_EQ(guess_of("[\n  {\n    \"text\": \"a\"\n  }\n]\n"), "jsonl");
  EXPECT_EQ(guess_of("[{\"text\": \"a\"}]"), "jsonl");
  EXPECT_THAT(failure("{\n  \"text\": \"a\"\n}\n"),
              HasSubstr("an object that spans several lines; write one object per line: jq -c"));
  EXPECT_THAT(failure("{\"data\": [\n  {\"text\": \"a\"}\n]}\n"), testing::StartsWith("taken as jsonl"));
  EXPECT_THAT(failure("{\"data\": {\n  \"text\": \"a\"}\n}\n"), HasSubstr("an object that spans several lines"));
  EXPECT_THAT(failure("[\"a\",\n\"b\"]"), HasSubstr("a JSON array of strings; write one object per line: jq -c"));
}

TEST(FormatGuess, KnowsTables) {
  EXPECT_EQ(guess_of("id,title,text\n1,A,\"It rains, he said:\n\"\"So.\"\"\"\n2,B,x\n"), "csv");
  EXPECT_EQ(guess_of("id;text\r\n1;a b\r\n"), "csv");
  EXPECT_EQ(guess_of(",text\n0,\"" + std::string(5000, 'a') + "\"\n1,b"), "csv");
  EXPECT_EQ(guess_of("id\ttext\n1\tIt rains, a bit.\n"), "tsv");
  EXPECT_THAT(failure("0\tIt rains.\n1\tIt snows.\n"),
              HasSubstr("this is TSV whose columns have no names; put a line"));
  EXPECT_EQ(failure("id,text\n1,a\n2,\"cut", true), "taken as csv");
  EXPECT_EQ(guess_of("id,text\n1,a\n2\n3,a\n4,a\n5,a\n6,a\n7,a\n8,a\n9,a\n10,a\n"), "csv") << "a bad record";
  EXPECT_EQ(guess_of("id,text\n1,a\n2,b\n", true), "books") << "a book may look like anything";
}

std::string guess_named(const std::string& name, const std::string& sample) {
  try {
    return "taken as " + std::string(name_of(guess_format_of(sample, false, false, name)));
  } catch (const FormatError& error) {
    return error.what();
  }
}

TEST(FormatGuess, BelievesTheNameOfATable) {
  const std::string bad = "id,text\n1,a\n2\n3\n";
  EXPECT_EQ(guess_named("folder/rows.csv", bad), "taken as csv");
  EXPECT_EQ(guess_named("rows.CSV.gz", bad), "taken as csv");
  EXPECT_EQ(guess_named("rows.txt", bad), "taken as articles");
  EXPECT_EQ(guess_named("rows.csv.txt", bad), "taken as articles");
  for (const char* table :
       {"text\n\"The river, old, rises.\"\n", "id,text,\n1,a,\n", "id, text\n1, a\n", "id|text\n1|a\n",
        "# c\nid,text\n", "id,a very long name of a column, longer than names are\n1,a\n", "A text,Label (0/1)\na,1\n",
        "text\n"}) {
    EXPECT_EQ(guess_named("rows.csv", table), "taken as csv") << table;
    EXPECT_EQ(guess_named("rows.tsv", table), "taken as tsv") << "its reader says that no column has the text";
  }
  EXPECT_THAT(guess_named("rows.tsv", "0\tIt rains.\n1\tIt snows.\n"), HasSubstr("columns have no names"));
  EXPECT_EQ(guess_named("rows.csv", "id\ttext\n1\ta\n"), "taken as tsv");
}

TEST(FormatGuess, KnowsParquetByItsFirstBytes) {
  const std::string parquet("PAR1\x15\0", 6);
  EXPECT_EQ(guess_named("a.parquet", parquet), "taken as parquet");
  EXPECT_EQ(guess_named("0000", parquet), "taken as parquet");
  EXPECT_THAT(guess_named("a.csv", parquet), HasSubstr("its content looks like parquet, its name does not"));
  EXPECT_THAT(guess_named("a.parquet", "It rains.\n"), HasSubstr("its name is that of Parquet, its content is not"));
  EXPECT_THAT(guess_named("a.parquet", "PARE"), HasSubstr("this is encrypted Parquet"));
}

TEST(FormatGuess, KnowsArrowByItsFirstBytes) {
  const std::string file("ARROW1\0\0", 8);
  EXPECT_EQ(guess_named("a.arrow", file), "taken as arrow");
  EXPECT_EQ(guess_named("0000", test::read_text(test::source_folder() / "tests/data/parquet/arrow_js.stream.arrow")),
            "taken as arrow");
  EXPECT_THAT(guess_named("a.csv", file), HasSubstr("its content looks like arrow, its name does not"));
  EXPECT_THAT(guess_named("a.arrow", "It rains.\n"), HasSubstr("its name is that of Arrow, its content is not"));
}

TEST(FormatGuess, KnowsTheSearchIndexOfWikis) {
  EXPECT_EQ(guess_named("a.json", "{\"index\":{\"_type\":\"_doc\",\"_id\":\"12\"}}\n{\"text\":\"a\"}\n"),
            "taken as cirrus");
  EXPECT_EQ(guess_named("a", "{ \"index\": {\"_id\": \"12\"}}\n"), "taken as cirrus");
  EXPECT_EQ(guess_named("a", "{\"index\": {\"text\": \"12\"}}\n"), "taken as jsonl");
  EXPECT_EQ(guess_named("a", "{\"index\": 1, \"text\": \"x\"}\n"), "taken as jsonl");
  EXPECT_THAT(guess_named("a.csv", "{\"index\":{\"_id\":\"12\"}}\n"), HasSubstr("its content looks like cirrus"));
}

TEST(FormatGuess, BelievesTheNameOfJson) {
  EXPECT_EQ(guess_named("a.json", "[\n{\"text\": \"a\"}\n]"), "taken as jsonl");
  EXPECT_THAT(guess_named("a.jsonl", "\n{'text': 'a'}\n"),
              HasSubstr("a.jsonl:2: this is a Python dict, not JSON; write"));
  EXPECT_THAT(guess_named("a.json.gz", "[{'text': 'a'}]\n"), HasSubstr("this is a Python dict"));
  EXPECT_THAT(guess_named("a.ndjson", "\"a\"\n"), HasSubstr("a.ndjson:1: this is a JSON string, not an object; write"));
  EXPECT_THAT(guess_named("a.jsonl", "// c\n{\"text\": \"a\"}\n"),
              HasSubstr("a.jsonl:1: this is a comment, which JSON"));
  EXPECT_THAT(guess_named("a.jsonl", "# c\n{\"text\": \"a\"}\n"), HasSubstr("this is a comment"));
  EXPECT_THAT(guess_named("a.jsonl", "[1, 2]\n"), HasSubstr("this is a JSON array, not an object"));
  EXPECT_THAT(guess_named("a.jsonl", "It rains.\n"),
              HasSubstr("this is not a JSON object; correct it, or give `format`"));
}

TEST(FormatGuess, ContentAndNameMustAgree) {
  EXPECT_THAT(guess_named("a.csv", kJsonl),
              HasSubstr("a.csv: its content looks like jsonl, its name does not; rename it"));
  EXPECT_THAT(guess_named("a.jsonl", "<mediawiki>\n"), HasSubstr("or give `format` mediawiki"));
  EXPECT_THAT(guess_named("a.xml", "It rains.\n"), HasSubstr("its name is that of XML or HTML, its content is not"));
  EXPECT_EQ(guess_named("a.xml", "<doc id=\"1\">\n"), "taken as wikiextractor");
}

TEST(FormatGuess, MakesNoSentencesOfBracesAndTags) {
  for (const char* text :
       {"{'text': 'a'}\n{'text': 'b'}\n", "// c\n{\"text\": \"a\"}\n", "# c\n[\n{\n\"text\": \"a\"\n}]"}) {
    EXPECT_THAT(failure(text), testing::StartsWith("x:1: this is a ")) << text;
  }
  for (const char* text :
       {"<p>It rains.</p>\n", "\n<article n=\"1\">\n<s>It rains.</s>\n", "<TEXT>\nIt rains.\n</TEXT>"}) {
    EXPECT_THAT(failure(text), HasSubstr("this is XML or HTML: it begins with <")) << text;
  }
  for (const char* text :
       {"<unk> rains.\n", "< is less.\n", "{braces} in prose.\nAnd more.\n", "\"So: it rains.\"\n"}) {
    EXPECT_EQ(failure(text), "taken as articles") << text;
  }
}

TEST(FormatGuess, TakesProseWithCommasForProse) {
  for (const char* prose : {"Red, green and blue .\nOne, two and three .\n", "Well, yes.\nOh, no.\n",
                            "Rain; snow.\nSun; wind.\n", "Hello,World\n", "one , two\nthree , four\n",
                            "A line\nwith a \t tab\n", "a,b\nc,d,e\n", "1,000 men\n2,000 women\n.\n"}) {
    EXPECT_EQ(guess_of(prose), "articles") << prose;
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
    EXPECT_EQ(guess_of(dump), "mediawiki") << dump;
  }
  EXPECT_EQ(guess_of("\n<doc id=\"1\" url=\"x\" title=\"T\">\nT\n"), "wikiextractor");
  EXPECT_EQ(guess_of("<mediawikis are\nmany\nof them\n"), "articles");
}

class ResolveFormatTest : public testing::Test {
 protected:
  std::string resolve(const std::vector<std::filesystem::path>& inputs) {
    return std::string(name_of(resolve_format(inputs, {})));
  }
  test::TempFolder folder_;
};

TEST_F(ResolveFormatTest, LooksAtTheContentOfFilesWithAnyName) {
  EXPECT_EQ(resolve({folder_.write("a.txt", kJsonl)}), "jsonl");
  EXPECT_EQ(resolve({folder_.write("b.text", kSentences)}), "sentences");
}

class MixedFolderTest : public ResolveFormatTest {
 protected:
  // The format of the folder, or the error.
  std::string resolve_folder() {
    try {
      return resolve({folder_ / "d"});
    } catch (const FormatError& error) {
      return error.what();
    }
  }
};

TEST_F(MixedFolderTest, LeavesOutWhatComesWithData) {
  for (const char* name : {"README.md", "LICENSE", "SHA256SUMS", "part.md5", "x/README_zh.txt"}) {
    folder_.write(std::string("d/") + name, "# The set\n\nIt is a set.\n");
  }
  folder_.write("d/x/train.jsonl", kJsonl);
  EXPECT_EQ(resolve_folder(), "jsonl");
}

TEST_F(MixedFolderTest, NamesTwoFormats) {
  folder_.write("d/a.csv", "text\nIt rains.\n");
  folder_.write("d/b.jsonl", kJsonl);
  EXPECT_THAT(resolve_folder(), HasSubstr("d: there are two formats: jsonl (" + (folder_ / "d/b.jsonl").string() +
                                          ") and csv (" + (folder_ / "d/a.csv").string() + "); choose files with"));
  std::filesystem::remove(folder_ / "d/b.jsonl");
  EXPECT_EQ(resolve_folder(), "csv");
  folder_.write("d/notes", "It snows.\n");
  EXPECT_THAT(resolve_folder(), HasSubstr("two formats: articles ("));
  EXPECT_THROW(resolve({folder_ / "d/a.csv", folder_ / "d/notes"}), FormatError);
  EXPECT_EQ(resolve({folder_ / "d/a.csv", folder_.write("e.csv", "id,text\n1,a\n")}), "csv");
}

TEST_F(MixedFolderTest, PlainTextsAreJudgedTogether) {
  folder_.write("d/a", "It rains.\n");
  folder_.write("d/b", "It is.\nIt was.\nSo.\n\nIt rains.\nIt snows.\nSo.\n\nWell.\nYes.\nSo.\n");
  EXPECT_EQ(resolve_folder(), "sentences");
  folder_.write("d/c.txt", "It was late.\n");
  EXPECT_THAT(resolve_folder(), HasSubstr("two formats: sentences ("));
}

const std::string kWrapped =
    "CHAPTER I\n\nIt was late, and the lamp by the door had burned so low that the\nletters on the table could no "
    "longer be "
    "read from the chair where he\nsat. He slept, and the wind went round the house until the shutters\nopened, one by "
    "one, "
    "and the snow came in.\n\nIn the morning the road lay open to the mill, and nobody had written\nto us. The post "
    "came "
    "late that day, and the lamp fell on an empty\ntable.\n";

TEST_F(ResolveFormatTest, BrokenLinesAreBooksWhereverTheyAre) {
  EXPECT_EQ(resolve({folder_.write("d/a.md", kWrapped)}), "books");
  EXPECT_EQ(resolve({folder_.write("e/a.txt", kWrapped)}), "books");
  EXPECT_EQ(resolve({folder_ / "d/a.md", folder_ / "e/a.txt"}), "books");
  EXPECT_EQ(resolve({folder_ / "d"}), "books");
  EXPECT_EQ(resolve({folder_ / "e"}), "books");
  std::string lines;
  for (int i = 10; i < 99; ++i)
    lines += "The bell of house number " + std::to_string(i) + " rings, and nobody comes to open.\n";
  EXPECT_EQ(resolve({folder_.write("f.txt", lines)}), "articles") << "lines of one length that end sentences";
  std::string poem;
  for (const char* line : {"O wind", "that went around the quiet house until the day", "and all"}) {
    for (int i = 0; i < 5; ++i) poem += std::string(line) + "\n";
  }
  EXPECT_EQ(resolve({folder_.write("g.txt", poem)}), "articles");
  const std::string mark = "*** START OF THIS PROJECT GUTENBERG EBOOK X ***\n\nOne.\n";
  EXPECT_EQ(resolve({folder_.write("h.txt", mark)}), "books");
}

// A folder, and the list of its files.
TEST_F(ResolveFormatTest, SeveralDocumentsAreBooks) {
  std::string shard;
  for (int i = 0; i < 100; ++i) shard += "It rains on day " + std::to_string(i) + ".\nIt snows.\nSo.\n\n";
  for (const std::string ending : {".txt", ".md"}) {
    const auto one = folder_.write("d" + ending + "/a" + ending, "It rains.\n\nIt is late.\n");
    const auto two = folder_.write("d" + ending + "/b" + ending, "It snows.\n\nIt is early.\n");
    EXPECT_EQ(resolve({folder_ / ("d" + ending)}), "books");
    EXPECT_EQ(resolve({one, two}), "books");
    EXPECT_EQ(resolve({one}), "articles");
    EXPECT_EQ(resolve({one, folder_.write("other", "It hails.\n")}), "articles");
    const auto text = folder_.write("e" + ending + "/a" + ending, shard);
    EXPECT_EQ(resolve({folder_ / ("e" + ending)}), "sentences");
    EXPECT_EQ(resolve({text, text}), "sentences");
  }
}

TEST_F(ResolveFormatTest, SaysWhatTheLookOfTheLinesMade) {
  const auto said = [&](const std::vector<std::filesystem::path>& inputs, const SourceOptions& options = {}) {
    return describe_guess(inputs, options);
  };
  const auto lines = folder_.write("a.txt", "It rains.\nIt snows.\n");
  const auto book = folder_.write("d/b.md", kWrapped);
  EXPECT_EQ(
      said({lines}),
      "1 file of plain text: one article a line (`format` articles); for one article a file, give `format` books");
  EXPECT_EQ(
      said({folder_ / "d"}),
      "1 file of plain text: one article a file (`format` books); for one article a line, give `format` articles");
  EXPECT_THAT(said({folder_.write("s", kSentences), folder_.write("t", kSentences)}),
              HasSubstr("2 files of plain text: one sentence a line (`format` sentences); for one"));
  EXPECT_EQ(said({folder_.write("c.jsonl", kJsonl)}), "");
  EXPECT_EQ(said({lines}, {.format = InputFormat::kArticles}), "");
}

TEST_F(MixedFolderTest, NamesAFileThatIsNoText) {
  folder_.write("d/a.jsonl", kJsonl);
  folder_.write("d/logo.png", std::string_view("\x89PNG\0", 5));
  EXPECT_THAT(resolve_folder(),
              HasSubstr("d/logo.png: this is not text; name the format with `format`, or leave it out"));
}

TEST_F(MixedFolderTest, ReadsNothingElseBesideExtractedArticles) {
  folder_.write("d/AA/wiki_00", "<doc id=\"1\">\nT\n\na\n</doc>\n");
  folder_.write("d/log", "It took an hour.\n");
  EXPECT_EQ(resolve_folder(), "wikiextractor");
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
  EXPECT_THROW(input_format("orc"), ConfigError);
  EXPECT_THROW(resolve_format(inputs, {.text_field = ""}), ConfigError);
}

}  // namespace
}  // namespace bertprep
