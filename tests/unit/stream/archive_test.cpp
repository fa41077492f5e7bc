#include "stream/archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "bertprep/base/error.h"
#include "support/packed.h"
#include "support/stream_bytes.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

using testing::HasSubstr;
using Members = std::vector<std::pair<std::string, std::string>>;

Members all_of(ArchiveReader& reader) {
  Members members;
  while (auto member = reader.next()) members.emplace_back(member->name, test::bytes_of(*member->bytes));
  return members;
}

std::string archived_text() {
  std::string text;
  for (int i = 0; i < 30'000; ++i) text += std::to_string(i * 7919) + "\n";
  return text;
}

class ArchiveReaderTest : public testing::TestWithParam<const char*> {
 protected:
  std::filesystem::path archive_of(const std::vector<test::PackedMember>& members) {
    return folder_.write("x", test::pack("none", GetParam(), members));
  }
  test::TempFolder folder_;
};

TEST_P(ArchiveReaderTest, GivesTheFilesInTheirOrder) {
  const auto path = archive_of({{"b.txt", "two"}, {"dir/a.txt", archived_text()}, {"empty", ""}, {"dir/c d.txt", "x"}});
  ArchiveReader reader(path);
  auto members = all_of(reader);
  // 7z stores empty files separately.
  std::sort(members.begin(), members.end());
  EXPECT_EQ(members, (Members{{"b.txt", "two"}, {"dir/a.txt", archived_text()}, {"dir/c d.txt", "x"}, {"empty", ""}}));
}

TEST_P(ArchiveReaderTest, KeepsNamesBeyondAscii) {
  ArchiveReader reader(archive_of({{"Fräulein.txt", "a"}, {"日本/本.txt", "b"}}));
  EXPECT_EQ(all_of(reader), (Members{{"Fräulein.txt", "a"}, {"日本/本.txt", "b"}}));
}

TEST_P(ArchiveReaderTest, SkipsHiddenAndSpecialFiles) {
  ArchiveReader reader(archive_of({{"dir/", "", AE_IFDIR},
                                   {"link", "", AE_IFLNK, "a.txt"},
                                   {"__MACOSX/dir/a.txt", "mac"},
                                   {"dir/._a.txt", "mac"},
                                   {".git/a.txt", "hidden"},
                                   {"dir/a.txt", "text"},
                                   {"./b.txt", "too"}}));
  const auto members = all_of(reader);
  ASSERT_EQ(members.size(), 2U);
  EXPECT_EQ(members[0].second + members[1].second, "texttoo");
}

TEST_P(ArchiveReaderTest, AMemberMayBeLeftUnread) {
  ArchiveReader reader(archive_of({{"a", archived_text()}, {"b", archived_text()}, {"c", "end"}}));
  ASSERT_TRUE(reader.next());
  ASSERT_FALSE(reader.next()->bytes->next_block().empty());
  EXPECT_EQ(all_of(reader), (Members{{"c", "end"}}));
}

TEST_P(ArchiveReaderTest, IsRecognised) {
  EXPECT_TRUE(begins_as_archive(test::pack("none", GetParam(), {{"a", "b"}})));
}

TEST_P(ArchiveReaderTest, ATruncatedArchiveFails) {
  const std::string bytes = test::pack("none", GetParam(), {{"a", "first"}, {"b", archived_text()}});
  const auto path = folder_.write("cut", bytes.substr(0, bytes.size() / 2));
  EXPECT_THROW(
      {
        ArchiveReader reader(path);
        all_of(reader);
      },
      FormatError);
}

INSTANTIATE_TEST_SUITE_P(All, ArchiveReaderTest, testing::Values("ustar", "pax", "gnutar", "zip", "7zip"));

TEST(ArchiveReader, ReadsFromFrontToBack) {
  for (const char* format : {"ustar", "pax", "zip"}) {
    const std::string bytes = test::pack("none", format, {{"a", "one"}, {"b/c", archived_text()}});
    ArchiveReader reader("x", std::make_unique<test::BlockStream>(bytes, 777));
    EXPECT_EQ(all_of(reader), (Members{{"a", "one"}, {"b/c", archived_text()}})) << format;
  }
}

TEST(ArchiveReader, DamageBelowComesOutAsItIs) {
  const std::string bytes = test::pack("none", "ustar", {{"a", "one"}, {"b", archived_text()}});
  ArchiveReader reader("x", std::make_unique<test::BlockStream>(bytes.substr(0, 100'000), 1000, true));
  EXPECT_EQ(test::bytes_of(*reader.next()->bytes), "one");
  const auto member = reader.next();
  const auto part = test::read_as_far_as_possible(*member->bytes);
  EXPECT_TRUE(archived_text().starts_with(part.bytes));
  EXPECT_GT(part.bytes.size(), 90'000U);
  ASSERT_TRUE(part.damage);
  EXPECT_EQ(part.damage->where(), "blocks");
}

TEST(ArchiveReader, ReadsBytesAfterATarFile) {
  const std::string bytes = test::pack("none", "ustar", {{"a", "one"}}) + test::pack("none", "ustar", {{"b", "two"}});
  ArchiveReader reader("x", std::make_unique<test::BlockStream>(bytes, 512));
  EXPECT_EQ(all_of(reader), (Members{{"a", "one"}, {"b", "two"}}));
}

TEST(ArchiveReader, RefusesEncryptedMembers) {
  const test::TempFolder folder;
  const auto path =
      folder.write("x.zip", test::pack("none", "zip", {{"a.txt", "secret"}}, "zip:encryption=aes256", "password"));
  ArchiveReader reader(path);
  try {
    reader.next();
    FAIL() << "no error";
  } catch (const FormatError& error) {
    EXPECT_EQ(error.where(), path.native() + ":a.txt");
    EXPECT_THAT(error.what(), HasSubstr("encrypted"));
  }
}

TEST(ArchiveReader, ADamagedMemberFails) {
  const test::TempFolder folder;
  std::string bytes = test::pack("none", "zip", {{"a.txt", archived_text()}});
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
  ArchiveReader reader(folder.write("x.zip", bytes));
  const auto member = reader.next();
  EXPECT_TRUE(test::read_as_far_as_possible(*member->bytes).damage);
}

TEST(BeginsAsArchive, TextIsNone) {
  EXPECT_FALSE(begins_as_archive(""));
  EXPECT_FALSE(begins_as_archive("PK is a code"));
  EXPECT_FALSE(begins_as_archive(archived_text()));
  EXPECT_FALSE(begins_as_archive(std::string(1024, '\0')));
  EXPECT_FALSE(begins_as_archive(std::string(1024, ' ')));
}

}  // namespace
}  // namespace bertprep
