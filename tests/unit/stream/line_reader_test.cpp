#include "stream/line_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/stream_bytes.h"

namespace bertprep {
namespace {

struct Line {
  std::string text;
  std::uint64_t number;
  std::uint64_t offset;
  bool operator==(const Line&) const = default;
};

std::vector<Line> lines_of(std::string_view bytes, std::size_t block_bytes) {
  LineReader reader("x", std::make_unique<test::BlockStream>(std::string(bytes), block_bytes));
  std::vector<Line> lines;
  for (std::string_view line; reader.next(line);) {
    lines.push_back({std::string(line), reader.line_number(), reader.line_offset()});
  }
  std::string_view after = "untouched";
  EXPECT_FALSE(reader.next(after));
  return lines;
}

std::vector<Line> lines_of(std::string_view bytes) {
  return lines_of(bytes, 100);
}

TEST(LineReader, OfALongLineTheBeginningIsGiven) {
  const std::string bytes = "a\n" + std::string(70'000, 'x') + "\nb\n" + std::string(200'000, 'y');
  for (const std::size_t block_bytes : {7, 1000, 100'000, 1'000'000}) {
    LineReader reader("x", std::make_unique<test::BlockStream>(bytes, block_bytes));
    reader.set_limit(69'999);
    std::string_view line;
    ASSERT_TRUE(reader.next(line));
    EXPECT_EQ(line, "a");
    EXPECT_FALSE(reader.is_truncated());
    ASSERT_TRUE(reader.next(line));
    EXPECT_EQ(line, std::string(1 << 16, 'x'));
    EXPECT_TRUE(reader.is_truncated());
    EXPECT_EQ(reader.line_bytes(), 70'000U);
    ASSERT_TRUE(reader.next(line));
    EXPECT_EQ(line, "b");
    EXPECT_FALSE(reader.is_truncated());
    EXPECT_EQ(reader.line_number(), 3U);
    EXPECT_EQ(reader.line_offset(), 70'003U);
    ASSERT_TRUE(reader.next(line));
    EXPECT_EQ(reader.line_bytes(), 200'000U);
    EXPECT_FALSE(reader.next(line));
  }
}

// The same contract, implemented without a buffer.
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

TEST(LineReader, EndsLinesAtLineFeedsOnly) {
  EXPECT_EQ(lines_of("a\r\nb\rc\n\n\v\f\x1c\n"),
            (std::vector<Line>{{"a\r", 1, 0}, {"b\rc", 2, 3}, {"", 3, 7}, {"\v\f\x1c", 4, 8}}));
}

TEST(LineReader, CountsALastLineWithoutLineFeed) {
  EXPECT_EQ(lines_of("a\nb"), (std::vector<Line>{{"a", 1, 0}, {"b", 2, 2}}));
  EXPECT_EQ(lines_of("a\nb\n"), lines_of("a\nb"));
}

TEST(LineReader, AnEmptyFileHasNoLinesAndALineFeedOne) {
  EXPECT_TRUE(lines_of("").empty());
  EXPECT_EQ(lines_of("\n"), (std::vector<Line>{{"", 1, 0}}));
}

TEST(LineReader, KeepsNulBytes) {
  EXPECT_EQ(lines_of(std::string_view("a\0b\n\0", 5)),
            (std::vector<Line>{{std::string("a\0b", 3), 1, 0}, {std::string(1, '\0'), 2, 4}}));
}

TEST(LineReader, JoinsLinesThatCrossTheEndOfABlock) {
  for (const std::size_t first : {0, 1, 2, 3, 6, 7, 8, 14, 20, 21, 22}) {
    for (const char* rest : {"", "\n", "\nb", "\nb\n", "\n\n\nccc", "\n1234567\n\n12345\n"}) {
      const std::string bytes = std::string(first, 'a') + rest;
      for (std::size_t block = 1; block < 9; ++block) {
        EXPECT_EQ(lines_of(bytes, block), plain_lines(bytes)) << bytes << ' ' << block;
      }
    }
  }
}

TEST(LineReader, ReadsManyLinesOfAllLengths) {
  std::string bytes;
  for (std::size_t length = 0; length < 3000; ++length) {
    bytes.append(length * 37 % 1009, static_cast<char>('a' + length % 26)).append(1, '\n');
  }
  for (const std::size_t block : {1000, 1009, 4096}) EXPECT_EQ(lines_of(bytes, block), plain_lines(bytes));
}

TEST(LineReader, ReadsAVeryLongLine) {
  const std::string bytes = "short\n" + std::string(20'000'000, 'x') + "\nend";
  const auto lines = lines_of(bytes, 1 << 18);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[1].text.size(), 20'000'000U);
  EXPECT_EQ(lines[2], (Line{"end", 3, 20'000'007}));
}

}  // namespace
}  // namespace bertprep
