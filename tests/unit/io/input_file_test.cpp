#include "io/input_file.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "bertprep/base/error.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

TEST(InputFile, ReadsFullBuffersAndThenTheRest) {
  const test::TempFolder folder;
  InputFile file(folder.write("x", "0123456789"));
  EXPECT_EQ(file.size_bytes(), 10U);
  std::string buffer(4, ' ');
  EXPECT_EQ(file.read(buffer), 4U);
  EXPECT_EQ(buffer, "0123");
  EXPECT_EQ(file.read(buffer), 4U);
  EXPECT_EQ(file.read(buffer), 2U);
  EXPECT_EQ(buffer.substr(0, 2), "89");
  EXPECT_EQ(file.read(buffer), 0U);
}

TEST(InputFile, MovesItsPlaceInTheFile) {
  const test::TempFolder folder;
  InputFile first(folder.write("x", "abc"));
  std::string byte(1, ' ');
  first.read(byte);
  InputFile second(std::move(first));
  second.read(byte);
  EXPECT_EQ(byte, "b");
}

TEST(InputFile, RefusesFoldersAndMissingFiles) {
  const test::TempFolder folder;
  EXPECT_THROW(InputFile{folder.path()}, IoError);
  EXPECT_THROW(InputFile{folder / "absent"}, IoError);
}

TEST(ReadFile, GivesAllBytes) {
  const test::TempFolder folder;
  EXPECT_EQ(read_file(folder.write("empty", "")), "");
  const std::string bytes(300'000, 'x');
  EXPECT_EQ(read_file(folder.write("big", bytes)), bytes);
}

TEST(ReadFile, ReadsFilesThatDoNotTellTheirSize) {
  EXPECT_NE(read_file("/proc/self/status").find("Pid:"), std::string::npos);
}

TEST(MappedFile, ShowsTheBytesOfTheFile) {
  const test::TempFolder folder;
  const MappedFile file(folder.write("x", std::string_view("a\0b", 3)));
  EXPECT_EQ(file.bytes(), std::string_view("a\0b", 3));
  EXPECT_TRUE(MappedFile(folder.write("empty", "")).bytes().empty());
  EXPECT_THROW(MappedFile{folder.path()}, IoError);
  EXPECT_THROW(MappedFile{folder / "absent"}, IoError);
}

}  // namespace
}  // namespace bertprep
