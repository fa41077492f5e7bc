#include "bertprep/source/open_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "support/read_documents.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

using testing::HasSubstr;
using Articles = std::vector<test::Article>;

class OpenSourceTest : public testing::Test {
 protected:
  Articles read(const std::vector<std::filesystem::path>& inputs, const std::string& format) {
    return test::read_documents(inputs, {.format = format}).articles;
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

TEST_F(OpenSourceTest, AFolderMayHoldEmptyFilesBesideOthers) {
  folder_.write("d/1", "");
  folder_.write("d/2", "a\n");
  folder_.write("d/3", "");
  EXPECT_EQ(read({folder_ / "d"}, "articles"), (Articles{{"", "a"}}));
  folder_.write("e/1", "");
  EXPECT_THROW(read({folder_ / "d", folder_ / "e"}, "articles"), FormatError);
}

TEST_F(OpenSourceTest, FailsAtOnceForWhatIsNotThere) {
  const std::vector<std::filesystem::path> inputs{folder_.write("a", "x"), folder_ / "absent"};
  EXPECT_THROW(open_source(inputs, {.format = "articles"}, {}), IoError);
  EXPECT_THROW(open_source({}, {.format = "articles"}, {}), ConfigError);
  EXPECT_THROW(open_source(inputs, {.format = "pdf"}, {}), ConfigError);
}

TEST_F(OpenSourceTest, NamesAFileThatVanishes) {
  const std::vector<std::filesystem::path> inputs{folder_.write("a", "x\n"), folder_.write("b", "y\n")};
  const auto source = open_source(inputs, {.format = "articles"}, {});
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
  for (const auto& field : SourceOptions::fields()) {
    set_field(options, field, field.name == "strict" ? "true" : field.name == "format" ? "jsonl" : "a.b");
  }
  EXPECT_TRUE(options.strict);
  EXPECT_EQ(options.format, "jsonl");
  EXPECT_EQ(options.text_field, "a.b");
  const auto recipe = recipe_of(options);
  ASSERT_EQ(recipe.size(), 2U);
  EXPECT_EQ(recipe[0].name, "format");
  EXPECT_EQ(recipe[1].name, "text-field");
}

}  // namespace
}  // namespace bertprep
