#include "io/digest.h"

#include <gtest/gtest.h>

#include <string>

#include "bertprep/base/error.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

// The examples of FIPS 180-2, appendix B.
TEST(Sha256, GivesTheDigestsOfTheStandard) {
  EXPECT_EQ(sha256_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Sha256, AddsUpAcrossUpdatesAndFiles) {
  const std::string bytes(1'000'000, 'a');
  const char* digest = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
  Sha256 parts;
  for (int i = 0; i < 1000; ++i) parts.update(std::string_view(bytes).substr(0, 1000));
  EXPECT_EQ(parts.finish(), digest);
  const test::TempFolder folder;
  EXPECT_EQ(sha256_of_file(folder.write("a", bytes)), digest);
}

TEST(Sha256, NamesAMissingFile) {
  EXPECT_THROW(sha256_of_file("/nowhere/at/all"), IoError);
}

}  // namespace
}  // namespace bertprep
