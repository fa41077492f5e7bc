#include "source/input/input_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

using testing::HasSubstr;

class InputListTest : public testing::Test {
 protected:
  std::vector<std::string> names(const NameChoice& choice = {}) {
    const std::vector<std::filesystem::path> inputs{folder_.path()};
    std::vector<std::string> found;
    const auto list = list_inputs(inputs, choice);
    for (const auto& file : list.at(0).files) {
      found.push_back(file.lexically_relative(folder_.path()).string());
    }
    return found;
  }

  std::vector<std::string> left_out(const NameChoice& choice = {}) {
    const std::vector<std::filesystem::path> inputs{folder_.path()};
    std::vector<std::string> remarks;
    const auto list = list_inputs(inputs, choice);
    for (const auto& [where, text] : list.at(0).left_out) {
      remarks.push_back(std::filesystem::path(where).lexically_relative(folder_.path()).string() + " " + text);
    }
    return remarks;
  }

  std::string failure(const std::filesystem::path& input, const NameChoice& choice = {}) {
    const std::vector<std::filesystem::path> inputs{input};
    try {
      list_inputs(inputs, choice);
    } catch (const IoError& error) {
      EXPECT_EQ(error.where().find(folder_.path().string()), 0U);
      return error.what();
    }
    return "no error";
  }

  test::TempFolder folder_;
};

TEST_F(InputListTest, DocumentsOfOtherProgramsAreNamedWithTheirConverter) {
  for (const char* name : {"a.txt", "b.PDF", "c.docx", "d.html", "e.epub", "f.odt", "g.doc"}) folder_.write(name, "x");
  EXPECT_EQ(names(), std::vector<std::string>{"a.txt"});
  const auto remarks = left_out();
  ASSERT_EQ(remarks.size(), 6U);
  EXPECT_EQ(remarks[0], "b.PDF left out because it is PDF: extract its text first: pdftotext FILE.pdf FILE.txt");
  EXPECT_THAT(remarks[1], HasSubstr("a document of Word: extract its text first: pandoc -t plain"));
  EXPECT_EQ(names({.include = "*.html"}), std::vector<std::string>{"d.html"});
}

TEST_F(InputListTest, AFolderOfDocumentsNamesTheirConverter) {
  folder_.write("b.pdf", "x");
  EXPECT_THAT(failure(folder_.path()), HasSubstr("b.pdf is left out because it is PDF: extract its text first"));
}

TEST_F(InputListTest, OrdersFilesByTheBytesOfTheirPaths) {
  for (const char* name : {"b", "a/z", "a.txt", "B", "a/b/c", "10", "9", "\xC3\xA9", "z", "a-1/x"}) {
    folder_.write(name, "x");
  }
  EXPECT_EQ(names(),
            (std::vector<std::string>{"10", "9", "B", "a-1/x", "a.txt", "a/b/c", "a/z", "b", "z", "\xC3\xA9"}));
}

TEST_F(InputListTest, LeavesOutHiddenFilesAndFolders) {
  for (const char* name : {".hidden", ".git/config", "a/.b", "a/c"}) folder_.write(name, "x");
  EXPECT_EQ(names(), std::vector<std::string>{"a/c"});
}

TEST_F(InputListTest, SelectsByEnding) {
  for (const char* name : {"a.txt", "b.TXT", "c.text", "txt", "d.txt.gz"}) folder_.write(name, "x");
  EXPECT_EQ(names({.ending = ".txt"}), (std::vector<std::string>{"a.txt", "b.TXT", "d.txt.gz"}));
}

TEST_F(InputListTest, FollowsLinks) {
  folder_.write("real/a", "x");
  const test::TempFolder elsewhere;
  elsewhere.write("b", "x");
  std::filesystem::create_directory_symlink(elsewhere.path(), folder_ / "linked");
  std::filesystem::create_symlink(folder_ / "real/a", folder_ / "zz");
  EXPECT_EQ(names(), (std::vector<std::string>{"linked/b", "real/a", "zz"}));
}

TEST_F(InputListTest, LeavesOutWhatIsNoFileAndSaysSo) {
  folder_.write("a/b", "x");
  folder_.write("a/.hidden", "x");
  std::filesystem::create_directory_symlink(folder_.path(), folder_ / "a/up");
  std::filesystem::create_symlink(folder_ / "gone", folder_ / "dangling");
  std::filesystem::create_symlink("self", folder_ / "self");
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(names(), std::vector<std::string>{"a/b"});
  EXPECT_EQ(left_out(),
            (std::vector<std::string>{
                "a/.hidden left out because it is hidden", "a/up left out because it links to a folder above it",
                "dangling left out because it is a broken link", "pipe left out because it is not a regular file",
                "self left out because it is a broken link"}));
  EXPECT_THAT(failure(folder_ / "dangling"), HasSubstr("dangling"));
}

TEST_F(InputListTest, PatternsChoose) {
  for (const char* name : {"a.md", "b.txt", "c.md.gz", "d/e.md", "d/f.html", "g.zip", "drafts/h.md"})
    folder_.write(name, "x");
  EXPECT_EQ(names({.ending = ".txt", .include = "*.md"}),
            (std::vector<std::string>{"a.md", "c.md.gz", "d/e.md", "drafts/h.md", "g.zip"}));
  EXPECT_EQ(names({.include = "*.md", .exclude = "drafts/*,g.*"}),
            (std::vector<std::string>{"a.md", "c.md.gz", "d/e.md"}));
  EXPECT_EQ(names({.include = "d/*"}), (std::vector<std::string>{"d/e.md", "d/f.html", "g.zip"}));
  EXPECT_EQ(names({.include = "[ab].*"}), (std::vector<std::string>{"a.md", "b.txt", "g.zip"}));
  EXPECT_EQ(left_out({.ending = ".txt", .exclude = "g*"}).front(),
            "a.md left out because its name does not end in .txt (`include` reads others)");
  EXPECT_THAT(failure(folder_.path(), {.include = "*.rst", .exclude = "*.zip"}),
              HasSubstr("contains no files that match `include` *.rst"));
}

TEST_F(InputListTest, RefusesWhatCanBeReadOnceOnly) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  const std::vector<std::filesystem::path> pipe{folder_ / "pipe"};
  const std::vector<std::filesystem::path> device{"/dev/null"};
  const std::vector<std::filesystem::path> good{folder_.path(), folder_.write("a", "x"), folder_ / "absent"};
  EXPECT_THROW(refuse_pipes(pipe), IoError);
  EXPECT_THROW(refuse_pipes(device), IoError);
  EXPECT_NO_THROW(refuse_pipes(good));
}

TEST_F(InputListTest, NamesAMissingInputAndAnEmptyFolder) {
  EXPECT_THAT(failure(folder_ / "absent"), HasSubstr("absent"));
  folder_.write("sub/.hidden", "x");
  EXPECT_THAT(failure(folder_.path()), HasSubstr("contains no files"));
  folder_.write("sub/data.csv", "x");
  EXPECT_EQ(names({.ending = ".txt"}), std::vector<std::string>{"sub/data.csv"}) << "no file has the ending";
}

TEST_F(InputListTest, KeepsTheOrderOfInputs) {
  const std::vector<std::filesystem::path> inputs{folder_.write("b", "x"), folder_.write("a", "x"), folder_ / "b"};
  const auto list = list_inputs(inputs);
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(list[0].files, std::vector{inputs[0]});
  EXPECT_EQ(list[1].files, std::vector{inputs[1]});
  EXPECT_EQ(list[2].files, std::vector{inputs[0]});
  EXPECT_FALSE(list[0].is_folder);
}

TEST_F(InputListTest, WantsAnInput) {
  EXPECT_THROW(list_inputs({}), ConfigError);
}

}  // namespace
}  // namespace bertprep
