#include "bertprep/base/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

namespace bertprep {
namespace {

TEST(Error, GivesPlaceFaultAndHint) {
  const Error error("has no end", "file.txt:3", "add one");
  EXPECT_STREQ(error.what(), "file.txt:3: has no end; add one");
  EXPECT_EQ(error.where(), "file.txt:3");
  EXPECT_EQ(error.hint(), "add one");
}

TEST(Error, LeavesOutUnknownParts) {
  EXPECT_STREQ(Error("has no end").what(), "has no end");
}

TEST(IoError, HintsAtAFullDisk) {
  const IoError error = IoError::from_errno("can't be written", "out.bin", ENOSPC);
  EXPECT_THAT(error.what(), testing::HasSubstr("out.bin: can't be written (No space left on device)"));
  EXPECT_THAT(error.hint(), testing::HasSubstr("free some space"));
}

TEST(IoError, HintsAtPathsAndLimits) {
  const auto hint = [](int error) { return IoError::from_errno("can't be used", "x", error).hint(); };
  for (const int error : {ENOENT, ENOTDIR, ELOOP}) EXPECT_EQ(hint(error), "check the path");
  EXPECT_EQ(hint(ENAMETOOLONG), "use a shorter name");
  EXPECT_THAT(hint(EFBIG), testing::HasSubstr("ulimit -f"));
}

}  // namespace
}  // namespace bertprep
