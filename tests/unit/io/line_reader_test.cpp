#include "io/line_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

struct Line {
  std::string text;
  std::uint64_t number;
  std::uint64_t offset;
  bool operator==(const Line&) const = default;
};

class LineReaderTest : public testing::Test {
 protected:
  std::vector<Line> lines_of(std::string_view bytes) {
    LineReader reader(folder_.write("x.txt", bytes));
    std::vector<Line> lines;
    for (std::string_view line; reader.next(line);) {
      lines.push_back({std::string(line), reader.line_number(), reader.line_offset()});
    }
    std::string_view after = "untouched";
    EXPECT_FALSE(reader.next(after));
    return lines;
  }

  test::TempFolder folder_;
};

// The same contract, written without a buffer.
std::vector<Line> plain_lines(std::string_view bytes) {
  std::vector<Line> lines;
  std::size_t begin = 0;
  while (begin < bytes.size()) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
    lines.push_back({std::string(bytes.substr(begin, end - begin)), lines.size() + 1, begin});
    begin = end + 1;
  }
  return lines;
}

TEST_F(LineReaderTest, EndsLinesAtLineFeedsOnly) {
  EXPECT_EQ(lines_of("a\r\nb\rc\n\n\v\f\x1c\n"),
            (std::vector<Line>{{"a\r", 1, 0}, {"b\rc", 2, 3}, {"", 3, 7}, {"\v\f\x1c", 4, 8}}));
}

TEST_F(LineReaderTest, CountsALastLineWithoutLineFeed) {
  EXPECT_EQ(lines_of("a\nb"), (std::vector<Line>{{"a", 1, 0}, {"b", 2, 2}}));
  EXPECT_EQ(lines_of("a\nb\n"), lines_of("a\nb"));
}

TEST_F(LineReaderTest, AnEmptyFileHasNoLinesAndALineFeedOne) {
  EXPECT_TRUE(lines_of("").empty());
  EXPECT_EQ(lines_of("\n"), (std::vector<Line>{{"", 1, 0}}));
}

TEST_F(LineReaderTest, KeepsNulBytes) {
  EXPECT_EQ(lines_of(std::string_view("a\0b\n\0", 5)),
            (std::vector<Line>{{std::string("a\0b", 3), 1, 0}, {std::string(1, '\0'), 2, 4}}));
}

TEST_F(LineReaderTest, JoinsLinesThatCrossTheEndOfTheBuffer) {
  constexpr std::size_t kBuffer = std::size_t{1} << 18;
  for (const std::size_t first : {kBuffer - 2, kBuffer - 1, kBuffer, kBuffer + 1, 2 * kBuffer - 1, 2 * kBuffer}) {
    for (const char* rest : {"", "\n", "\nb", "\nb\n", "\n\n\nccc"}) {
      const std::string bytes = std::string(first, 'a') + rest;
      EXPECT_EQ(lines_of(bytes), plain_lines(bytes)) << first;
    }
  }
}

TEST_F(LineReaderTest, ReadsManyLinesOfAllLengths) {
  std::string bytes;
  for (std::size_t length = 0; length < 3000; ++length) {
    bytes.append(length * 37 % 1009, static_cast<char>('a' + length % 26)).append(1, '\n');
  }
  EXPECT_EQ(lines_of(bytes), plain_lines(bytes));
}

TEST_F(LineReaderTest, ReadsAVeryLongLine) {
  const std::string bytes = "short\n" + std::string(20'000'000, 'x') + "\nend";
  const auto lines = lines_of(bytes);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[1].text.size(), 20'000'000U);
  EXPECT_EQ(lines[2], (Line{"end", 3, 20'000'007}));
}

TEST_F(LineReaderTest, NamesAMissingFileAndAFolder) {
  try {
    LineReader reader(folder_ / "absent.txt");
    FAIL() << "no error";
  } catch (const IoError& error) {
    EXPECT_EQ(error.where(), folder_ / "absent.txt");
  }
  EXPECT_THROW(LineReader{folder_.path()}, IoError);
}

}  // namespace
}  // namespace bertprep
