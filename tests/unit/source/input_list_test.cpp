#include "source/input_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  std::vector<std::string> names(std::string_view ending = {}) {
    const std::vector<std::filesystem::path> inputs{folder_.path()};
    std::vector<std::string> found;
    const auto list = list_inputs(inputs, ending);
    for (const auto& file : list.at(0).files) {
      found.push_back(file.lexically_relative(folder_.path()).string());
    }
    return found;
  }

  std::string failure(const std::filesystem::path& input, std::string_view ending = {}) {
    const std::vector<std::filesystem::path> inputs{input};
    try {
      list_inputs(inputs, ending);
    } catch (const IoError& error) {
      EXPECT_EQ(error.where().find(folder_.path().string()), 0U);
      return error.what();
    }
    return "no error";
  }

  test::TempFolder folder_;
};

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
  EXPECT_EQ(names(".txt"), (std::vector<std::string>{"a.txt", "b.TXT", "d.txt.gz"}));
}

TEST_F(InputListTest, FollowsLinks) {
  folder_.write("real/a", "x");
  const test::TempFolder elsewhere;
  elsewhere.write("b", "x");
  std::filesystem::create_directory_symlink(elsewhere.path(), folder_ / "linked");
  std::filesystem::create_symlink(folder_ / "real/a", folder_ / "zz");
  EXPECT_EQ(names(), (std::vector<std::string>{"linked/b", "real/a", "zz"}));
}

TEST_F(InputListTest, NamesALinkThatGoesInCircles) {
  folder_.write("a/b", "x");
  std::filesystem::create_directory_symlink(folder_.path(), folder_ / "a/up");
  EXPECT_THAT(failure(folder_.path()), HasSubstr("a/up"));
}

TEST_F(InputListTest, NamesALinkToNothing) {
  std::filesystem::create_symlink(folder_ / "gone", folder_ / "dangling");
  EXPECT_THAT(failure(folder_.path()), HasSubstr("dangling"));
  EXPECT_THAT(failure(folder_ / "dangling"), HasSubstr("dangling"));
}

TEST_F(InputListTest, NamesAMissingInputAndAnEmptyFolder) {
  EXPECT_THAT(failure(folder_ / "absent"), HasSubstr("absent"));
  folder_.write("sub/.hidden", "x");
  EXPECT_THAT(failure(folder_.path()), HasSubstr("holds no files"));
  folder_.write("sub/data.csv", "x");
  EXPECT_THAT(failure(folder_.path(), ".txt"), HasSubstr("holds no *.txt files"));
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
