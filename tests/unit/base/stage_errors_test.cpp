#include "base/stage_errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <new>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

template <class Thrown>
void rethrow(const Thrown& thrown) {
  try {
    throw thrown;
  } catch (...) {
    rethrow_as_error("sharding", "text.txt");
  }
}

std::filesystem::filesystem_error refusal(std::errc code) {
  return {"cannot iterate", "data/in", std::make_error_code(code)};
}

TEST(StageErrors, TheSystemsRefusalsNameThePathAndMayPass) {
  try {
    rethrow(refusal(std::errc::io_error));
    FAIL();
  } catch (const IoError& error) {
    EXPECT_STREQ(error.what(),
                 "data/in: can't be used (Input/output error); the disk or the file server is failing; run the same "
                 "command again");
    EXPECT_TRUE(error.is_transient());
    EXPECT_FALSE(error.is_missing());
  }
  try {
    rethrow(refusal(std::errc::no_such_file_or_directory));
    FAIL();
  } catch (const IoError& error) {
    EXPECT_TRUE(error.is_missing());
    EXPECT_FALSE(error.is_transient());
  }
}

TEST(StageErrors, OutOfMemoryNamesStageAndPlace) {
  try {
    rethrow(std::bad_alloc());
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("text.txt: out of memory in sharding; "));
  }
}

TEST(StageErrors, OtherErrorsAreUnchanged) {
  EXPECT_THROW(rethrow(FormatError("bad")), FormatError);
}

}  // namespace
}  // namespace bertprep
