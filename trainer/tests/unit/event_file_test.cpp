#include "trainer/run_log.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "support/golden_data.h"
#include "support/temp_folder.h"

namespace bertprep::test {
namespace {

// CRC-32C bit by bit.
std::uint32_t plain_crc(std::string_view bytes) {
  std::uint32_t crc = ~0U;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? (crc >> 1) ^ 0x82F63B78U : crc >> 1;
  }
  return ~crc;
}

template <class T>
T read_value(const std::string& bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

// The messages of the records, lengths and sums checked.
std::vector<std::string> messages(const std::string& bytes) {
  const auto sum_fits = [&](std::string_view part, std::size_t at) {
    const std::uint32_t crc = plain_crc(part);
    return read_value<std::uint32_t>(bytes, at) == (crc >> 15 | crc << 17) + 0xA282EAD8U;
  };
  std::vector<std::string> found;
  for (std::size_t at = 0; at < bytes.size();) {
    const auto size = read_value<std::uint64_t>(bytes, at);
    EXPECT_TRUE(sum_fits(std::string_view(bytes).substr(at, 8), at + 8));
    found.push_back(bytes.substr(at + 12, size));
    EXPECT_TRUE(sum_fits(found.back(), at + 12 + size));
    at += 16 + size;
  }
  return found;
}

TEST(EventFile, SumIsThatOfTheStandard) {
  EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(crc32c(""), 0U);
}

TEST(EventFile, HoldsEventsAsTensorBoardReadsThem) {
  const TempFolder folder;
  EventFile file(folder / "tb");
  file.write(300, {{"loss", 2.5}, {"rate", -1}});
  const auto found = messages(read_bytes(file.path()));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].substr(9),
            "\x1a\x0d"
            "brain.Event:2");
  // After the time: step 300 as a varint, then the summary with both values.
  const std::string loss = std::string("\x0a\x0b\x0a\x04loss\x15") + std::string("\0\0\x20\x40", 4);
  const std::string rate = std::string("\x0a\x0b\x0a\x04rate\x15") + std::string("\0\0\x80\xbf", 4);
  EXPECT_EQ(found[1][0], '\x09');
  EXPECT_EQ(found[1].substr(9), std::string("\x10\xac\x02\x2a\x1a") + loss + rate);
}

TEST(EventFile, SecondRunGetsItsOwnFile) {
  const TempFolder folder;
  const EventFile first(folder.path());
  const EventFile second(folder.path());
  EXPECT_NE(first.path(), second.path());
}

}  // namespace
}  // namespace bertprep::test
