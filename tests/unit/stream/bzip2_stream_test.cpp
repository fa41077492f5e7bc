#include "stream/bzip2_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "support/temp_folder.h"
#include "unit/stream/bzip2_file.h"

namespace bertprep {
namespace {

using test::bzip2_stream;
using testing::HasSubstr;

struct Reading {
  std::string bytes;
  std::vector<std::size_t> gaps;    // places in `bytes`
  std::vector<std::string> damage;  // "WHERE: REASON"
  std::string error;
};

class Bzip2StreamTest : public testing::Test {
 protected:
  Reading read(std::string_view file, std::size_t width = 1, bool reports_damage = true) {
    Reading reading;
    StreamOptions options;
    options.runner.width = width;
    if (reports_damage) {
      options.damage = [&](const auto& where, const auto& reason) { reading.damage.push_back(where + ": " + reason); };
    }
    try {
      const auto stream = open_bzip2(folder_.write("x.bz2", file), options);
      for (;;) {
        const std::string_view block = stream->next_block();
        if (stream->place().gap) reading.gaps.push_back(reading.bytes.size());
        if (block.empty()) break;
        reading.bytes += block;
      }
      EXPECT_TRUE(stream->next_block().empty());
    } catch (const FormatError& error) {
      reading.error = error.what();
    }
    return reading;
  }

  void expect_valid(std::string_view file, const std::string& bytes) {
    for (const std::size_t width : {1, 2, 5}) {
      const Reading reading = read(file, width);
      EXPECT_TRUE(reading.bytes == bytes) << reading.bytes.size() << " bytes for " << bytes.size();
      EXPECT_EQ(reading.error, "");
      EXPECT_THAT(reading.damage, testing::IsEmpty());
      EXPECT_THAT(reading.gaps, testing::IsEmpty());
    }
  }

  test::TempFolder folder_;
};

// Without runs, so that all blocks of level 1 except the last have this size.
constexpr std::size_t kBlockBytes = 99'981;
std::string noise(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>((i % 2 == 0 ? 'a' : 'A') + random() % 20);
  return bytes;
}

std::vector<Bzip2Mark> marks_of(std::string file) {
  std::vector<Bzip2Mark> marks;
  const std::size_t size = file.size();
  file.append(kBzip2MarkReach, '\0');
  find_bzip2_marks(file, 0, size, 0, marks);
  return marks;
}

TEST_F(Bzip2StreamTest, ReadsFilesOfAllLevelsAndSizes) {
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{1000}, kBlockBytes, kBlockBytes + 1, 4 * kBlockBytes + 5}) {
    const std::string bytes = noise(size, 1);
    for (const int level : {1, 5, 9}) expect_valid(bzip2_stream(bytes, level), bytes);
  }
}

TEST_F(Bzip2StreamTest, ReadsStreamsInARow) {
  std::string file;
  std::string bytes;
  for (int i = 0; i < 20; ++i) {
    const std::string part = noise(i % 3 == 0 ? 0 : 40'000 * (i % 4), i);
    file += bzip2_stream(part, 1 + i % 9);
    bytes += part;
  }
  expect_valid(file, bytes);
}

TEST_F(Bzip2StreamTest, NothingIsNothing) {
  expect_valid("", "");
}

TEST_F(Bzip2StreamTest, ReadsBlocksOfLongRunsPieceByPiece) {
  const std::string bytes = std::string(30'000'000, 'x') + noise(1000, 3) + std::string(5'000'000, 'y');
  expect_valid(bzip2_stream(bytes), bytes);
}

TEST_F(Bzip2StreamTest, AMarkInsideABlockBreaksNothing) {
  for (const std::string_view mark :
       {std::string_view("\x31\x41\x59\x26\x53\x59"), std::string_view("\x17\x72\x45\x38\x50\x90")}) {
    for (const int times : {1, 3}) {
      std::string symbols = noise(3000, 4);
      for (int i = 0; i < times; ++i) symbols.replace(500 + 700 * i, mark.size(), mark);
      const test::HandMade made = test::hand_made(symbols);
      ASSERT_EQ(marks_of(made.file).size(), 2U + static_cast<unsigned>(times));
      ASSERT_FALSE(made.bytes.empty());
      const std::string around = noise(250'000, 5);
      expect_valid(bzip2_stream(around, 1) + made.file + bzip2_stream(around, 1), around + made.bytes + around);
    }
  }
}

TEST_F(Bzip2StreamTest, ADamagedBlockCostsItselfAlone) {
  const std::string bytes = noise(1'000'000, 6);
  const std::string valid = bzip2_stream(bytes, 1);
  const auto marks = marks_of(valid);
  ASSERT_EQ(marks.size(), 12U);
  for (const std::size_t block : {0, 4, 10}) {
    std::string file = valid;
    file[(marks[block].bit + marks[block + 1].bit) / 16] ^= 0x10;
    const Reading reading = read(file, 2);
    EXPECT_EQ(reading.error, "");
    ASSERT_EQ(reading.damage.size(), 1U);
    EXPECT_THAT(reading.damage[0],
                HasSubstr("x.bz2 at byte " + std::to_string(marks[block].bit / 8) + ": a bzip2 block"));
    const std::size_t begin = block * kBlockBytes;
    const std::size_t end = std::min<std::size_t>(begin + kBlockBytes, bytes.size());
    EXPECT_TRUE(reading.bytes == bytes.substr(0, begin) + bytes.substr(end)) << block;
    EXPECT_EQ(reading.gaps, std::vector<std::size_t>{begin});
    EXPECT_THAT(read(file, 2, false).error, HasSubstr("a bzip2 block is damaged"));
  }
}

// The block before the damaged mark is not followed by a mark, but it is complete.
TEST_F(Bzip2StreamTest, ADamagedMarkCostsItsBlockAlone) {
  const std::string bytes = noise(1'000'000, 7);
  const std::string valid = bzip2_stream(bytes, 1);
  const auto marks = marks_of(valid);
  std::string file = valid;
  file[marks[5].bit / 8 + 2] ^= 0x01;
  const Reading reading = read(file, 3);
  EXPECT_EQ(reading.error, "");
  ASSERT_EQ(reading.damage.size(), 1U);
  EXPECT_THAT(reading.damage[0], HasSubstr("the mark of a bzip2 block is damaged"));
  EXPECT_TRUE(reading.bytes == bytes.substr(0, 5 * kBlockBytes) + bytes.substr(6 * kBlockBytes));
  EXPECT_EQ(reading.gaps, std::vector<std::size_t>{5 * kBlockBytes});
}

TEST_F(Bzip2StreamTest, ADamagedHeaderBetweenStreamsCostsNothing) {
  const std::string part = noise(150'000, 8);
  const std::string stream = bzip2_stream(part, 1);
  std::string file = stream + stream + stream;
  file[stream.size() + 1] = 'X';
  const Reading reading = read(file);
  EXPECT_EQ(reading.error, "");
  ASSERT_EQ(reading.damage.size(), 1U);
  EXPECT_THAT(reading.damage[0], HasSubstr("at byte " + std::to_string(stream.size()) + ": the header"));
  EXPECT_TRUE(reading.bytes == part + part + part);
}

TEST_F(Bzip2StreamTest, AWrongChecksumOfTheStreamIsReported) {
  const std::string part = noise(150'000, 9);
  std::string file = bzip2_stream(part, 1);
  file[file.size() - 3] ^= 0x40;
  const Reading reading = read(file + bzip2_stream("end"));
  EXPECT_EQ(reading.error, "");
  ASSERT_EQ(reading.damage.size(), 1U);
  EXPECT_THAT(reading.damage[0], HasSubstr("checksum of the bzip2 stream"));
  EXPECT_TRUE(reading.bytes == part + "end");
}

TEST_F(Bzip2StreamTest, ATruncatedFileGivesAllWholeBlocksAndAnError) {
  const std::string bytes = noise(500'000, 10);
  const std::string valid = bzip2_stream(bytes, 1);
  const auto marks = marks_of(valid);
  for (std::size_t size = 10; size < valid.size(); size += size < valid.size() - 60 ? 9973 : 1) {
    const Reading reading = read(valid.substr(0, size), 2);
    EXPECT_THAT(reading.error, HasSubstr("the file ends within a bzip2 stream")) << size;
    EXPECT_THAT(reading.damage, testing::IsEmpty()) << size;
    std::size_t whole = 0;
    while (marks[whole + 1].bit <= size * 8 && whole + 2 < marks.size()) ++whole;
    EXPECT_GE(reading.bytes.size(), std::min(whole * kBlockBytes, bytes.size())) << size;
    EXPECT_TRUE(bytes.starts_with(reading.bytes)) << size;
  }
}

TEST_F(Bzip2StreamTest, TrailingBytesAreReportedToAnObserver) {
  const std::string bytes = noise(1000, 11);
  const std::string file = bzip2_stream(bytes);
  expect_valid(file + std::string(5000, '\0'), bytes);
  const Reading reading = read(file + "rubbish");
  EXPECT_EQ(reading.bytes, bytes);
  ASSERT_EQ(reading.damage.size(), 1U);
  EXPECT_THAT(reading.damage[0], HasSubstr("the 7 bytes after the end"));
  EXPECT_EQ(read(file + "rubbish", 1, false).error, "");
}

TEST_F(Bzip2StreamTest, RefusesOtherFiles) {
  EXPECT_THAT(read("<mediawiki>").error, HasSubstr("is not a bzip2 file"));
  EXPECT_THAT(read("BZh0").error, HasSubstr("is not a bzip2 file"));
}

// Every byte of a small file, flipped: nothing hangs, and no wrong bytes are returned without a report.
TEST_F(Bzip2StreamTest, AnyDamageIsNoticed) {
  const std::string bytes = noise(300, 12);
  const std::string valid = bzip2_stream(bytes) + bzip2_stream(bytes);
  for (std::size_t at = 0; at < valid.size(); ++at) {
    for (const int bit : {0, 3, 7}) {
      std::string file = valid;
      file[at] = static_cast<char>(file[at] ^ 1 << bit);
      const Reading reading = read(file);
      const bool told = !reading.error.empty() || !reading.damage.empty();
      EXPECT_TRUE(told || reading.bytes == bytes + bytes) << at;
      EXPECT_TRUE(reading.bytes == bytes + bytes || reading.bytes == bytes || reading.bytes.empty()) << at;
    }
  }
}

TEST_F(Bzip2StreamTest, ReadsARangeOfStreams) {
  const std::string a = bzip2_stream("aaa"), b = bzip2_stream("bb"), c = bzip2_stream("c");
  const auto path = folder_.write("m.bz2", a + b + c);
  const auto all_of = [&](std::uint64_t begin, std::uint64_t end) {
    const auto stream = open_bzip2(path, {}, Bzip2Range{begin, end});
    std::string bytes;
    for (std::string_view block = stream->next_block(); !block.empty(); block = stream->next_block()) bytes += block;
    return bytes;
  };
  EXPECT_EQ(all_of(a.size(), a.size() + b.size()), "bb");
  EXPECT_EQ(all_of(a.size(), 0), "bbc");
  EXPECT_THROW(all_of(a.size() + 1, 0), FormatError);
}

}  // namespace
}  // namespace bertprep
