#include "bertprep/source/open_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "base/fields.h"
#include "bertprep/base/error.h"
#include "support/packed.h"
#include "support/read_documents.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

using test::Articles;
using testing::HasSubstr;

class OpenSourceTest : public testing::Test {
 protected:
  Articles read(const std::vector<std::filesystem::path>& inputs, const std::string& format) {
    return test::read_documents(inputs, {.format = input_format(format)}).articles;
  }
  test::TempFolder folder_;
};

TEST_F(OpenSourceTest, ReadsInputsInTheirOrderAndFoldersByPath) {
  folder_.write("d/b", "two\n");
  folder_.write("d/a/x", "one\n");
  const auto last = folder_.write("0", "three\n");
  EXPECT_EQ(read({folder_ / "d", last}, "articles"), (Articles{{"", "one"}, {"", "two"}, {"", "three"}}));
}

TEST_F(OpenSourceTest, NoArticleContinuesInTheNextFile) {
  const auto first = folder_.write("1", "a\nb");
  const auto second = folder_.write("2", "c\n");
  EXPECT_EQ(read({first, second}, "sentences"), (Articles{{"", "a\nb"}, {"", "c"}}));
  EXPECT_EQ(read({first, second}, "wikitext"), (Articles{{"", "a b"}, {"", "c"}}));
}

TEST_F(OpenSourceTest, OpensEachFormatByItself) {
  EXPECT_EQ(read({folder_.write("1", "{\"text\":\"a\",\"title\":\"t\"}")}, "auto"), (Articles{{"t", "a"}}));
  EXPECT_EQ(read({folder_.write("2", " = Title = \n\n a \n")}, "auto"), (Articles{{"Title", "a"}}));
  EXPECT_EQ(read({folder_.write("3", "a\nb\n\nc\nd\n")}, "auto"), (Articles{{"", "a\nb"}, {"", "c\nd"}}));
  EXPECT_EQ(read({folder_.write("4", "a\nb\nc\n")}, "auto"), (Articles{{"", "a"}, {"", "b"}, {"", "c"}}));
  folder_.write("books/B.txt", "a\nb\n");
  EXPECT_EQ(read({folder_ / "books"}, "auto"), (Articles{{"B", "a b"}}));
}

// Between NULs, ASCII is valid UTF-8.
TEST_F(OpenSourceTest, RefusesUtf16InEveryFormatButBooks) {
  const auto file = folder_.write("x", std::string_view("a\0 \0b\0\n\0", 8));
  for (const char* format : {"wikitext", "articles", "sentences", "jsonl", "csv", "tsv", "wikiextractor", "pubmed"}) {
    try {
      read({file}, format);
      FAIL() << format;
    } catch (const FormatError& error) {
      EXPECT_THAT(error.what(), HasSubstr("x: this is UTF-16LE, not UTF-8; convert it: iconv -f UTF-16LE")) << format;
    }
  }
  EXPECT_EQ(read({file}, "books"), (Articles{{"x", "a b"}}));
}

TEST_F(OpenSourceTest, RefusesTextUnderTheNameOfACompressedFileOrArchive) {
  const auto failure = [&](const std::filesystem::path& file, const char* format) {
    try {
      read({file}, format);
      return std::string("was read");
    } catch (const FormatError& error) {
      return std::string(error.what());
    }
  };
  const std::string member = test::pack("none", "zip", {{"a.txt.gz", "one\n"}});
  for (const char* format : {"auto", "articles", "books"}) {
    EXPECT_THAT(failure(folder_.write("a.txt.gz", "one\n"), format),
                HasSubstr("a.txt.gz: its name ends in .gz, but it is not gzip; get the file again, or rename it"));
    EXPECT_THAT(failure(folder_.write("x.zip", member), format), HasSubstr("x.zip:a.txt.gz: its name ends in .gz"));
    EXPECT_THAT(failure(folder_.write("b.zip", "one\n"), format), HasSubstr("b.zip: its name is that of an archive"));
    EXPECT_THAT(failure(folder_.write("b.tar.gz", test::compress("gzip", "one\n")), format),
                HasSubstr("its name is that of an archive, but it is something else; get the file again"));
  }
  EXPECT_THAT(failure(folder_.write("c.gz", "<html>\n<p>404"), "auto"), HasSubstr("this is HTML"));
}

TEST_F(OpenSourceTest, NamesAnInputWithoutArticles) {
  const auto good = folder_.write("good", "{\"text\":\"a\"}\n");
  const auto empty = folder_.write("empty", "");
  for (const char* format : {"wikitext", "articles", "sentences", "jsonl"}) {
    try {
      read({good, empty, good}, format);
      FAIL() << format;
    } catch (const FormatError& error) {
      EXPECT_EQ(error.where(), empty) << format;
    }
  }
}

TEST_F(OpenSourceTest, ReadsCompressedFilesAndArchives) {
  const auto gzip = folder_.write("1", test::compress("gzip", "one\ntwo\n"));
  const auto tar = folder_.write(
      "2", test::pack("gzip", "ustar", {{"b", "three\n"}, {"a/c.xz", test::compress("xz", "four")}, {"a/.x", "five"}}));
  const auto plain = folder_.write("3", "six");
  EXPECT_EQ(read({gzip, tar, plain}, "articles"),
            (Articles{{"", "one"}, {"", "two"}, {"", "three"}, {"", "four"}, {"", "six"}}));
}

TEST_F(OpenSourceTest, ReadsArchivesWithinArchives) {
  const std::string inner = test::pack("none", "zip", {{"a", "one"}, {"b", "two"}});
  const auto path = folder_.write("x", test::pack("none", "ustar", {{"0", "zero"}, {"in.zip", inner}, {"z", "three"}}));
  const std::vector<std::filesystem::path> inputs{path};
  const auto source = open_source(inputs, {.format = InputFormat::kArticles}, {});
  std::vector<std::string> found;
  for (Document document; source->next(document);) found.push_back(document.origin.source + " " + document.text);
  EXPECT_EQ(found, (std::vector<std::string>{path.native() + ":0 zero", path.native() + ":in.zip:a one",
                                             path.native() + ":in.zip:b two", path.native() + ":z three"}));
}

TEST_F(OpenSourceTest, RefusesArchivesThatAreTooDeep) {
  std::string bytes = "a";
  for (int depth = 0; depth < 10; ++depth) bytes = test::pack("none", "ustar", {{"in", bytes}});
  EXPECT_THROW(read({folder_.write("x", bytes)}, "articles"), FormatError);
}

TEST_F(OpenSourceTest, NamesTheMemberAndTheLineOfAFault) {
  const auto path = folder_.write("x.zip", test::pack("none", "zip", {{"a", "one\n"}, {"b", "two\n\xFF\n"}}));
  try {
    read({path}, "articles");
    FAIL() << "no error";
  } catch (const FormatError& error) {
    EXPECT_EQ(error.where(), path.native() + ":b:2");
    EXPECT_THAT(error.what(), HasSubstr("at byte 4"));
  }
}

TEST_F(OpenSourceTest, GivesAllArticlesInFrontOfDamage) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += std::to_string(i) + "\n";
  const std::string packed = test::compress("gzip", text);
  const std::vector<std::filesystem::path> inputs{folder_.write("x", packed.substr(0, packed.size() / 2))};
  const auto source = open_source(inputs, {.format = InputFormat::kArticles}, {});
  Document document;
  int articles = 0;
  EXPECT_THROW(
      {
        while (source->next(document)) EXPECT_EQ(document.text, std::to_string(articles++));
      },
      FormatError);
  EXPECT_GT(articles, 20'000);
}

TEST_F(OpenSourceTest, LeavesNothingOfADocumentInTheNext) {
  const auto jsonl = folder_.write("1", "{\"text\":\"a\",\"title\":\"t\",\"id\":\"i\"}\n{\"text\":\"b\"}\n");
  const std::vector<std::filesystem::path> inputs{jsonl};
  const auto source = open_source(inputs, {.format = InputFormat::kJsonl}, {});
  Document document;
  ASSERT_TRUE(source->next(document));
  ASSERT_TRUE(source->next(document));
  EXPECT_EQ(document.title, "");
  EXPECT_EQ(document.origin.page_id, "");
  EXPECT_EQ(document.text, "b");
}

TEST_F(OpenSourceTest, NeedsMoreThanASourceForDumps) {
  const std::vector<std::filesystem::path> inputs{folder_.write("x", "<mediawiki>")};
  EXPECT_THROW(open_source(inputs, {}, {}), ConfigError);
}

TEST_F(OpenSourceTest, RefusesAnUnknownEncodingAtOnce) {
  const std::vector<std::filesystem::path> inputs{folder_.write("x.txt", "a")};
  EXPECT_THROW(open_source(inputs, {.format = InputFormat::kBooks, .encoding = "klingon"}, {}), ConfigError);
  EXPECT_NO_THROW(open_source(inputs, {.format = InputFormat::kBooks, .encoding = "latin-1"}, {}));
}

TEST_F(OpenSourceTest, AFolderMayHoldEmptyFilesBesideOthers) {
  folder_.write("d/1", "");
  folder_.write("d/2", "a\n");
  folder_.write("d/3", "");
  EXPECT_EQ(read({folder_ / "d"}, "articles"), (Articles{{"", "a"}}));
  folder_.write("e/1", "");
  EXPECT_THROW(read({folder_ / "d", folder_ / "e"}, "articles"), FormatError);
}

TEST_F(OpenSourceTest, FailsAtOnceForMissingFiles) {
  const std::vector<std::filesystem::path> inputs{folder_.write("a", "x"), folder_ / "absent"};
  EXPECT_THROW(open_source(inputs, {.format = InputFormat::kArticles}, {}), IoError);
  EXPECT_THROW(open_source({}, {.format = InputFormat::kArticles}, {}), ConfigError);
  EXPECT_THROW(input_format("pdf"), ConfigError);
}

TEST_F(OpenSourceTest, NamesAFileThatVanishes) {
  const std::vector<std::filesystem::path> inputs{folder_.write("a", "x\n"), folder_.write("b", "y\n")};
  const auto source = open_source(inputs, {.format = InputFormat::kArticles}, {});
  std::filesystem::remove(folder_ / "b");
  Document document;
  EXPECT_TRUE(source->next(document));
  try {
    source->next(document);
    FAIL() << "no error";
  } catch (const IoError& error) {
    EXPECT_EQ(error.where(), folder_ / "b");
  }
}

TEST(SourceOptions, DescribeTheirFields) {
  SourceOptions options;
  for (const auto& field : fields_of<SourceOptions>()) {
    const bool is_switch = std::holds_alternative<bool SourceOptions::*>(field.member);
    const bool is_number = std::holds_alternative<std::int64_t SourceOptions::*>(field.member);
    const char* text = field.name == "format"        ? "jsonl"
                       : field.name == "max-article" ? "5M"
                       : field.name == "detokenize"  ? "wikitext"
                       : field.name == "html"        ? "text"
                       : field.name == "line-breaks" ? "line"
                                                     : "a.b";
    set_field(options, field, is_switch ? "true" : is_number ? "7" : text);
  }
  EXPECT_TRUE(options.strict);
  EXPECT_EQ(options.format, InputFormat::kJsonl);
  EXPECT_EQ(options.text_field, "a.b");
  EXPECT_EQ(options.html, HtmlHandling::kText);
  const auto recipe = recipe_of(options);
  ASSERT_EQ(recipe.size(), 11U);
  EXPECT_EQ(recipe[0].name, "format");
  EXPECT_EQ(recipe[1].name, "text-field");
}

TEST(SourceOptions, LineBreaksOfRecordsPartParagraphs) {
  using enum InputFormat;
  for (const InputFormat format : {kJsonl, kCsv, kTsv, kPubmed, kParquet, kArrow, kSqlite, kCirrus}) {
    EXPECT_EQ(line_breaks_of(format, {}), LineBreaks::kParagraph) << name_of(format);
  }
  for (const InputFormat format : {kWikitext, kMediawiki, kWikiextractor, kArticles, kSentences, kBooks}) {
    EXPECT_EQ(line_breaks_of(format, {}), LineBreaks::kSpace) << name_of(format);
  }
}

}  // namespace
}  // namespace bertprep
