#include "io/folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

using test::TempFolder;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> names_of(const FolderEntries& entries) {
  std::vector<std::string> names;
  for (const auto& entry : entries) names.push_back(entry.path().filename().string());
  return names;
}

// b, c/d, c/e/f, and a link to c.
void fill(const TempFolder& temp) {
  temp.write("b", "1");
  fs::create_directories(temp / "c/e");
  temp.write("c/d", "2");
  temp.write("c/e/f", "3");
  fs::create_directory_symlink(temp / "c", temp / "a");
}

TEST(ListFolder, TellsEntriesByName) {
  const TempFolder temp;
  fill(temp);
  const FolderEntries entries = list_folder(temp.path());
  EXPECT_THAT(names_of(entries), ElementsAre("a", "b", "c"));
  EXPECT_TRUE(entries[0].is_symlink());
  EXPECT_TRUE(entries[0].is_directory());
  EXPECT_TRUE(entries[1].is_regular_file());
  EXPECT_FALSE(entries[2].is_symlink());
}

TEST(NamesInFolder, AreSortedAndEmptyWithoutAFolder) {
  const TempFolder temp;
  fill(temp);
  EXPECT_THAT(names_in_folder_if_any(temp.path()), ElementsAre("a", "b", "c"));
  EXPECT_THAT(names_in_folder_if_any(temp / "none"), testing::IsEmpty());
}

TEST(IsEmptyFolder, NeedsAReadableFolderWithoutEntries) {
  const TempFolder temp;
  fill(temp);
  fs::create_directory(temp / "empty");
  EXPECT_TRUE(is_empty_folder(temp / "empty"));
  for (const char* name : {"c", "b", "none"}) EXPECT_FALSE(is_empty_folder(temp / name)) << name;
  temp.write("empty/.hidden", "");
  EXPECT_FALSE(is_empty_folder(temp / "empty"));
}

TEST(ListFolder, AMissingFolderIsAnErrorOrNothing) {
  const TempFolder temp;
  temp.write("file", "");
  for (const char* name : {"none", "file"}) {
    try {
      list_folder(temp / name);
      FAIL() << name;
    } catch (const IoError& error) {
      EXPECT_THAT(error.what(), HasSubstr((temp / name).string() + ": can't be listed"));
    }
    EXPECT_THAT(list_folder_if_any(temp / name), testing::IsEmpty());
    std::error_code error;
    EXPECT_THAT(list_folder(temp / name, error), testing::IsEmpty());
    EXPECT_TRUE(error);
  }
}

TEST(ListFolder, OnlyAMissingFolderCountsAsEmpty) {
  EXPECT_THROW(list_folder_if_any(fs::path("/tmp") / std::string(300, 'x')), IoError);
}

TEST(WalkFolder, EntersFoldersButNotLinks) {
  const TempFolder temp;
  fill(temp);
  std::vector<std::string> all;
  walk_folder(temp.path(), [&](const fs::directory_entry& entry) {
    all.push_back(entry.path().lexically_relative(temp.path()).string());
    return true;
  });
  EXPECT_THAT(all, ElementsAre("a", "b", "c", "c/d", "c/e", "c/e/f"));
}

TEST(WalkFolder, LeavesOutChosenFiles) {
  const TempFolder temp;
  fill(temp);
  std::vector<std::string> all;
  walk_folder(temp.path(), [&](const fs::directory_entry& entry) {
    all.push_back(entry.path().filename().string());
    return all.back() != "e";
  });
  EXPECT_THAT(all, ElementsAre("a", "b", "c", "d", "e"));
}

TEST(RemoveTree, TakesAllBelowAndNoLinkWithIt) {
  const TempFolder temp;
  fill(temp);
  fs::create_directories(temp / "gone/below");
  temp.write("gone/below/file", "x");
  fs::create_directory_symlink(temp / "c", temp / "gone/link");
  remove_tree(temp / "gone");
  EXPECT_FALSE(fs::exists(temp / "gone"));
  EXPECT_TRUE(fs::exists(temp / "c/d"));
  remove_tree(temp / "a");
  EXPECT_FALSE(fs::is_symlink(temp / "a"));
  EXPECT_TRUE(fs::exists(temp / "c/e/f"));
}

TEST(RemoveTree, AMissingFileIsNoError) {
  const TempFolder temp;
  std::error_code error = std::make_error_code(std::errc::io_error);
  remove_tree(temp / "none", error);
  EXPECT_FALSE(error);
}

TEST(RemoveTree, NamesFilesThatItCannotRemove) {
  EXPECT_THROW(remove_tree("/proc/self/status"), IoError);
}

}  // namespace
}  // namespace bertprep
