#include "io/pending_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bertprep/base/error.h"
#include "io/output_file.h"
#include "support/golden_data.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

using test::read_bytes;
using test::TempFolder;

TEST(OutputFile, WritesMoreThanItsBuffer) {
  const TempFolder temp;
  std::string text;
  OutputFile file(temp / "out");
  for (int i = 0; i < 100000; ++i) {
    const std::string part = std::to_string(i) + " ";
    file.write(part);
    text += part;
  }
  file.finish();
  EXPECT_EQ(file.size_bytes(), text.size());
  EXPECT_EQ(read_bytes(temp / "out"), text);
}

TEST(OutputFile, AFullDiskIsAnError) {
  try {
    OutputFile file("/dev/full");
    file.write("x");
    file.finish();
    FAIL();
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("No space left on device"));
  }
}

TEST(OutputFile, AFolderThatIsNotThereIsAnError) {
  EXPECT_THROW(OutputFile("/nowhere/at/all"), IoError);
}

TEST(PendingFile, AppearsOnlyWhenPublished) {
  const TempFolder temp;
  PendingFile pending(temp / "result", temp.path());
  OutputFile file(pending.path());
  file.write("whole");
  file.finish();
  EXPECT_FALSE(std::filesystem::exists(temp / "result"));
  const std::filesystem::path beside = pending.path();
  pending.publish();
  EXPECT_EQ(read_bytes(temp / "result"), "whole");
  EXPECT_FALSE(std::filesystem::exists(beside));
}

TEST(PendingFile, ReplacesAnOlderFileAtOnce) {
  const TempFolder temp;
  temp.write("result", "old");
  publish_bytes(temp / "result", temp.path(), "new");
  EXPECT_EQ(read_bytes(temp / "result"), "new");
}

TEST(PendingFile, IsRemovedWhenItIsNotPublished) {
  const TempFolder temp;
  {
    const PendingFile pending(temp / "result", temp.path());
    OutputFile file(pending.path());
    file.finish();
  }
  EXPECT_TRUE(std::filesystem::is_empty(temp.path()));
}

}  // namespace
}  // namespace bertprep
