#include "unicode/utf8_text.h"

#include <gtest/gtest.h>

#include <string>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

std::size_t sequence_bytes_by_first(unsigned char first) {
  if (first < 0x80) return 1;
  if ((first & 0xE0) == 0xC0) return 2;
  if ((first & 0xF0) == 0xE0) return 3;
  return (first & 0xF8) == 0xF0 ? 4 : 0;
}

// Decodes each sequence and checks the code point: slow, and unlike the tables of the real one.
std::optional<std::size_t> plain_find_invalid_utf8(std::string_view bytes) {
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  std::size_t index = 0;
  while (index < bytes.size()) {
    const auto first = static_cast<unsigned char>(bytes[index]);
    const std::size_t length = sequence_bytes_by_first(first);
    if (length == 0 || index + length > bytes.size()) return index;
    char32_t point = length == 1 ? first : first & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
      const auto next = static_cast<unsigned char>(bytes[index + i]);
      if ((next & 0xC0) != 0x80) return index;
      point = point << 6 | (next & 0x3FU);
    }
    if (point < kSmallest[length] || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) return index;
    index += length;
  }
  return std::nullopt;
}

TEST(Utf8, AgreesWithThePlainCheckOnAllSequencesOfUpToThreeBytes) {
  for (unsigned a = 0; a < 256; ++a) {
    std::string bytes{static_cast<char>(a)};
    ASSERT_EQ(find_invalid_utf8(bytes), plain_find_invalid_utf8(bytes)) << a;
    for (unsigned b = 0; b < 256; ++b) {
      bytes = {static_cast<char>(a), static_cast<char>(b)};
      ASSERT_EQ(find_invalid_utf8(bytes), plain_find_invalid_utf8(bytes)) << a << ' ' << b;
      bytes += ' ';
      for (unsigned c = 0; c < 256; ++c) {
        bytes[2] = static_cast<char>(c);
        ASSERT_EQ(find_invalid_utf8(bytes), plain_find_invalid_utf8(bytes)) << a << ' ' << b << ' ' << c;
      }
    }
  }
}

TEST(Utf8, AgreesWithThePlainCheckOnFourByteSequences) {
  for (unsigned a = 0xEF; a < 256; ++a) {
    for (unsigned b = 0; b < 256; ++b) {
      for (const char c : {'\x00', '\x7F', '\x80', '\xBF', '\xC0', '\xFF'}) {
        for (const char d : {'\x00', '\x7F', '\x80', '\xBF', '\xC0', '\xFF'}) {
          const std::string bytes{static_cast<char>(a), static_cast<char>(b), c, d};
          ASSERT_EQ(find_invalid_utf8(bytes), plain_find_invalid_utf8(bytes)) << a << ' ' << b;
        }
      }
    }
  }
}

TEST(Utf8, FindsTheFaultAtEveryPlaceOfALongText) {
  for (std::size_t size = 1; size < 70; ++size) {
    for (std::size_t place = 0; place < size; ++place) {
      std::string bytes(size, 'a');
      ASSERT_EQ(find_invalid_utf8(bytes), std::nullopt);
      bytes[place] = '\xFF';
      ASSERT_EQ(find_invalid_utf8(bytes), place);
    }
  }
}

// The offsets are UnicodeDecodeError.start of Python's strict decoder.
TEST(Utf8, GivesTheStartOfTheBrokenSequenceAsPythonDoes) {
  EXPECT_EQ(find_invalid_utf8("ab\xE2\x28\xA1"), 2U);
  EXPECT_EQ(find_invalid_utf8("ab\xE2\x82"), 2U);
  EXPECT_EQ(find_invalid_utf8("\xC3\xA9\xC0\xAF"), 2U);
  EXPECT_EQ(find_invalid_utf8("\xED\xA0\x80"), 0U);
  EXPECT_EQ(find_invalid_utf8("\xF4\x90\x80\x80"), 0U);
  EXPECT_EQ(find_invalid_utf8("\xE2\x82\xAC\xF0\x9F\x98"), 3U);
  EXPECT_EQ(find_invalid_utf8("\xF0\x9F\x98\x80"), std::nullopt);
  EXPECT_EQ(find_invalid_utf8(""), std::nullopt);
}

TEST(Utf8, TellsFileLineAndByte) {
  EXPECT_NO_THROW(require_valid_utf8("a\nb\n", "x.txt"));
  try {
    require_valid_utf8("a\nb\n\xFF", "x.txt", 10, 100);
    FAIL() << "no error";
  } catch (const FormatError& error) {
    EXPECT_EQ(error.where(), "x.txt:12");
    EXPECT_NE(std::string(error.what()).find("invalid UTF-8 at byte 104"), std::string::npos);
  }
}

TEST(Utf8, ShowsAnyBytes) {
  EXPECT_EQ(visible_text("a\r\n\tb  c\n"), "a\\r\n\tb  c\n");
  EXPECT_EQ(visible_text(std::string_view("\0\x1B[1m\x7F", 6)), "\\x00\\x1B[1m\\x7F");
  EXPECT_EQ(visible_text("\xC2\x85\xC2\xA0\xC3\xA9"), "\\xC2\\x85\xC2\xA0\xC3\xA9");
  EXPECT_EQ(visible_text("\xE6\x9D"), "\\xE6\\x9D") << "a character cut off";
  EXPECT_EQ(visible_text("\x80\xC2"), "\\x80\\xC2");
  EXPECT_EQ(visible_text(""), "");
}

}  // namespace
}  // namespace bertprep
