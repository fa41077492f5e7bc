#include "twins/bzip2.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "io/input_file.h"
#include "stream/bzip2_scan.h"
#include "support/golden_data.h"
#include "unit/stream/bzip2_file.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

std::vector<Bzip2Mark> marks_in(std::string file) {
  std::vector<Bzip2Mark> marks;
  const std::size_t size = file.size();
  file.append(kBzip2MarkReach, '\0');
  find_bzip2_marks(file, 0, size, 0, marks);
  return marks;
}

class Bzip2TwinsTest : public testing::Test {
 protected:
  // Every block of the file; returns how many are complete.
  int compare(const std::string& file) {
    int whole = 0;
    const auto marks = marks_in(file);
    for (std::size_t i = 0; i < marks.size(); ++i) {
      if (marks[i].is_end) continue;
      const std::uint64_t end = i + 1 < marks.size() ? marks[i + 1].bit : file.size() * 8;
      const std::uint64_t first_byte = marks[i].bit / 8;
      const std::string_view bytes = std::string_view(file).substr(first_byte, (end + 7) / 8 - first_byte);
      EXPECT_EQ(twins_.difference(bytes, static_cast<unsigned>(marks[i].bit % 8), end - first_byte * 8), "") << i;
      if (twins_.block().state() == Bzip2State::kComplete) ++whole;
    }
    return whole;
  }

  test::Bzip2Twins twins_;
  std::mt19937 random_{1};
};

std::string words(std::size_t size, std::mt19937& random) {
  std::string text;
  while (text.size() < size) {
    for (unsigned i = 1 + random() % 8; i > 0; --i) text += static_cast<char>('a' + random() % (1 + random() % 26));
    text += random() % 9 == 0 ? ".\n" : " ";
  }
  return text;
}

TEST_F(Bzip2TwinsTest, AgreeOnBytesOfManyKinds) {
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  std::string binary(300'000, '\0');
  for (char& byte : binary) byte = static_cast<char>(random_());
  std::string rare(400'000, 'x');
  for (std::size_t i = 0; i < rare.size(); i += 1 + random_() % 600) rare[i] = static_cast<char>(random_());
  for (const std::string& bytes : {std::string("a"), std::string("ab"), all, binary, rare, words(2'000'000, random_)}) {
    for (const int level : {1, 9}) EXPECT_GE(compare(test::bzip2_stream(bytes, level)), 1);
  }
}

// Runs in the text, and runs in the sorted column, around the lengths at which their storage changes.
TEST_F(Bzip2TwinsTest, AgreeOnRunsOfAllLengths) {
  std::string bytes;
  for (std::size_t length = 1; length < 530; ++length)
    bytes += std::string(length, static_cast<char>('a' + length % 3));
  EXPECT_EQ(compare(test::bzip2_stream(bytes)), 1);
  EXPECT_GE(compare(test::bzip2_stream(std::string(60'000'000, 'x') + "y")), 1);
}

// The permutation of a repetitive block has several cycles; here so few that chains never meet, or very many.
TEST_F(Bzip2TwinsTest, AgreeOnBlocksThatRepeatThemselves) {
  for (const std::size_t period : {2, 3, 1000, 60'000, 300'000, 450'000}) {
    const std::string part = words(period, random_).substr(0, period);
    std::string bytes;
    while (bytes.size() + period <= 899'000) bytes += part;
    EXPECT_EQ(compare(test::bzip2_stream(bytes)), 1) << period;
  }
}

// A run of `more` bytes after the first, as symbols.
std::string run_digits(std::uint64_t more) {
  std::string digits;
  for (; more > 0; more = (more - 1) / 2) digits += static_cast<char>((more - 1) % 2);
  return digits;
}

// The last column is 440 ones, then zeros, so each row leads to the one 440 places below. Pieces begin every 440 rows:
// the chain meets one at each of the first 2,045 rows, and none in the others of the block.
TEST_F(Bzip2TwinsTest, AgreeOnABlockThatOneChainWalksAlone) {
  constexpr std::uint64_t kRows = 440 * 2045 + 1;
  const std::string symbols = "\2" + run_digits(439) + "\2" + run_digits(kRows - 441);
  const test::HandMade block = test::hand_made(symbols);
  ASSERT_GT(block.bytes.size(), kRows / 2);
  EXPECT_EQ(compare(block.file), 1);
}

// The block is full at the end of a group; the next one begins with two more bytes and goes on with a run of a million.
TEST_F(Bzip2TwinsTest, AgreeOnALongRunAfterTheBlockIsFull) {
  const std::string symbols = std::string(900'002, '\2') + run_digits(1'500'000) + "\2";
  EXPECT_EQ(compare(test::hand_made_stream(symbols, 0).bytes()), 0);
  EXPECT_EQ(twins_.block().state(), Bzip2State::kDamaged);
}

TEST_F(Bzip2TwinsTest, AgreeOnDamagedBlocks) {
  for (const std::size_t size : {40, 3000, 200'000}) {
    const std::string valid = test::bzip2_stream(words(size, random_));
    const int times = size < 100'000 ? 3000 : 60;
    for (int i = 0; i < times; ++i) {
      std::string file = valid;
      // Half of the faults are before the codes.
      const std::size_t reach = i % 2 == 0 ? std::min<std::size_t>(file.size() - 10, 200) : file.size() - 10;
      file[10 + random_() % reach] ^= static_cast<char>(1U << random_() % 8);
      compare(file);
    }
  }
}

TEST_F(Bzip2TwinsTest, AgreeOnTheEndWhereverItIs) {
  const std::string file = test::bzip2_stream(words(500, random_));
  const auto marks = marks_in(file);
  ASSERT_EQ(marks.size(), 2U);
  int states[3] = {};
  for (std::uint64_t end = marks[1].bit - 200; end < file.size() * 8; ++end) {
    const std::string_view bytes = std::string_view(file).substr(4, (end + 7) / 8 - 4);
    EXPECT_EQ(twins_.difference(bytes, 0, end - 32), "") << end;
    ++states[static_cast<int>(twins_.block().state())];
  }
  EXPECT_EQ(states[static_cast<int>(Bzip2State::kComplete)], 1);
  EXPECT_GT(states[static_cast<int>(Bzip2State::kWithoutEnd)], 0);
  EXPECT_GT(states[static_cast<int>(Bzip2State::kDamaged)], 0);
}

// bzip2 before 0.9.5 mixed repetitive blocks with noise, marked by a bit, which is set here.
TEST_F(Bzip2TwinsTest, RandomizedBlocksAreLeftToLibbz2) {
  std::string file = test::bzip2_stream(words(300, random_));
  file[14] = static_cast<char>(file[14] | 0x80);
  const std::string bytes = test::decoded_unchecked(file);
  ASSERT_GT(bytes.size(), 100U);
  const std::uint32_t sum = bzip2_checksum(0, bytes);
  for (unsigned i = 0; i < 4; ++i) file[10 + i] = static_cast<char>(sum >> (24 - 8 * i));
  EXPECT_EQ(compare(file), 1);
}

TEST_F(Bzip2TwinsTest, AgreeOnRealText) {
  const fs::path folder = test::shared_folder() / "corpora" / "wikidump";
  if (test::shared_folder().empty()) GTEST_SKIP() << "skipped: no golden data (set BERTPREP_SHARED to its folder)";
  int whole = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".bz2") whole += compare(read_file(entry.path()));
  }
  EXPECT_GE(whole, 20);
}

}  // namespace
}  // namespace bertprep
