#include "base/address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bertprep/base/error.h"
#include "support/thrown.h"

namespace bertprep {
namespace {

using testing::HasSubstr;

TEST(Address, IsRefusedWithWhatCopiesFromThere) {
  const std::pair<const char*, const char*> rows[] = {
      {"s3://bucket/x",
       "'s3://bucket/x' is an address, and only files of this machine are read and written; give a "
       "path, and copy the files with 'aws s3 sync'"},
      {"S3A://bucket", "'aws s3 sync'"},
      {"gs://bucket/x", "'gsutil -m rsync -r'"},
      {"hdfs:///data", "'hdfs dfs -get' and 'hdfs dfs -put'"},
      {"hf://datasets/a/b", "'huggingface-cli download'"},
      {"https://example.org/vocab.txt", "'curl -LO'"},
      {"abfss://c@a.dfs.core.windows.net/x", "'azcopy copy'"},
      {"file:///data/x", "give the path without 'file://'"},
      {"lakefs://repo/main", "that storage's own program"},
  };
  for (const auto& [path, remedy] : rows) EXPECT_THAT(fault_of_address(path), HasSubstr(remedy)) << path;
}

TEST(Address, PathsWithColonsAreNone) {
  for (const char* path : {"", "a", "a:b/c", "s3:/x", "s3:x", "a/s3://x", "./s3://x", "/s3://x", "://x", "3s://x",
                           "a b://x", "\xC3\xA4://x", "-", "C:/x"}) {
    EXPECT_EQ(fault_of_address(path), "") << path;
    EXPECT_NO_THROW(refuse_address(path));
  }
}

TEST(Address, ErrorsNameTheOption) {
  EXPECT_THAT(test::thrown_by<ConfigError>([] { refuse_address("gs://b", "`work`"); }),
              testing::StartsWith("`work`: 'gs://b' is an address"));
}

// Of readers that are given a path by the library's user.
TEST(Address, AMissingFileWithSuchANameIsExplained) {
  const IoError error = IoError::from_errno("can't be opened", "s3://bucket/x", ENOENT);
  EXPECT_THAT(error.what(), HasSubstr("'aws s3 sync'"));
  EXPECT_TRUE(error.is_missing());
}

}  // namespace
}  // namespace bertprep
