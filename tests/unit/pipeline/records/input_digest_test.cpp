#include "pipeline/records/input_digest.h"

#include <gtest/gtest.h>

#include "bertprep/base/error.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

class InputHasherTest : public testing::Test {
 protected:
  void expect_known(std::vector<fs::path> files) {
    Progress silent;
    const InputDigest found = hasher_.finish(files, silent);
    const InputDigest wanted = digest_files(files, silent);
    EXPECT_EQ(found.digest, wanted.digest);
    EXPECT_EQ(found.bytes, wanted.bytes);
  }

  test::TempFolder temp_;
  const fs::path first_ = temp_.write("first", "0123456789");
  const fs::path second_ = temp_.write("second", "abcdef");
  InputHasher hasher_;
};

TEST_F(InputHasherTest, HashesBytesAsTheyPassBy) {
  hasher_.begin_file(first_);
  hasher_.see(0, "01234");
  hasher_.see(5, "56789");
  hasher_.begin_file(second_);
  hasher_.see(0, "abcdef");
  hasher_.see(6, "");
  expect_known({first_, second_});
}

TEST_F(InputHasherTest, TakesBytesThatAreSeenTwiceOnce) {
  hasher_.begin_file(first_);
  hasher_.see(0, "0123");
  hasher_.see(0, "01");
  hasher_.see(0, "012345");
  hasher_.see(6, "6789");
  expect_known({first_});
}

TEST_F(InputHasherTest, ReadsUnreadParts) {
  hasher_.begin_file(first_);
  hasher_.see(0, "01");
  hasher_.see(6, "6789");
  hasher_.see(10, "");
  hasher_.begin_file(second_);
  expect_known({first_, second_, temp_.write("third", "never opened")});
}

TEST_F(InputHasherTest, TellsBytesThatWereReadFromThoseThatAreThere) {
  hasher_.begin_file(first_);
  hasher_.see(0, "0123456780");
  Progress silent;
  EXPECT_NE(hasher_.finish({{first_}}, silent).digest, digest_files({{first_}}, silent).digest);
}

TEST_F(InputHasherTest, RefusesAFileThatChangesBeforeItsRestIsRead) {
  hasher_.begin_file(first_);
  hasher_.see(0, "01");
  temp_.write("first", "01234567890");
  Progress silent;
  EXPECT_THROW(hasher_.finish({{first_}}, silent), FormatError);
}

TEST_F(InputHasherTest, RefusesAFileThatIsReadTwiceAndDiffers) {
  hasher_.begin_file(first_);
  hasher_.see(0, "0123456789");
  hasher_.begin_file(first_);
  hasher_.see(0, "0123456780");
  Progress silent;
  EXPECT_THROW(hasher_.finish({{first_, first_}}, silent), FormatError);
}

}  // namespace
}  // namespace bertprep
