#include "source/encoding/converter.h"

#include <gtest/gtest.h>

#include <string>

#include "bertprep/base/error.h"
#include "source/encoding/guess.h"

namespace bertprep {
namespace {

using std::string_literals::operator""s;
using std::string_view_literals::operator""sv;

std::string decoded(const std::string& encoding, std::string_view bytes) {
  std::string text;
  EXPECT_FALSE(Decoder(encoding).decode(bytes, text)) << encoding;
  return text;
}

TEST(Decoder, KnowsManyNames) {
  EXPECT_EQ(decoded("latin-1", "\xE9"), "é");
  EXPECT_EQ(decoded("Windows-1252", "\x93\x80\x94"), "“€”");
  EXPECT_EQ(decoded("cp866", "\x8F\xE0"), "Пр");
  EXPECT_EQ(decoded("Shift_JIS", "\x93\xFA\x96\x7B"), "日本");
  EXPECT_EQ(decoded("utf-8",
                    "\xEF\xBB\xBF"
                    "a\xF0\x9F\x98\x80"),
            "a😀");
  EXPECT_EQ(decoded("utf-16", "\xFE\xFF\xD8\x3D\xDE\x00"sv), "😀");
  EXPECT_EQ(decoded("HZ", "~{VPND~}~{VP~}~~\nVP"), "中文中~\nVP");
  EXPECT_THROW(Decoder("klingon"), ConfigError);
}

TEST(Decoder, NamesTheFault) {
  std::string text;
  Decoder utf8("utf-8");
  const auto fault = utf8.decode(
      "ab\xFF"
      "cd",
      text);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->byte, 2U);
  EXPECT_FALSE(fault->is_truncated);
  const auto cut = utf8.decode("ab\xF0\x9F\x98", text);
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->byte, 2U);
  EXPECT_TRUE(cut->is_truncated);
  EXPECT_EQ(text, "ab");
  EXPECT_TRUE(Decoder("utf-16le").decode("a\0b"sv, text)->is_truncated);
  EXPECT_FALSE(Decoder("utf-16le").decode("a\0\x00\xDC\x62\0"sv, text)->is_truncated);
  EXPECT_FALSE(utf8.decode("fine", text));
}

TEST(Decoder, DecodesMoreThanABlock) {
  std::string latin;
  std::string wanted;
  for (int i = 0; i < 50'000; ++i) {
    latin += "x\xE9";
    wanted += "xé";
  }
  EXPECT_EQ(decoded("latin-1", latin), wanted);
  std::string pairs;
  for (int i = 0; i < 50'000; ++i) pairs += "\x3D\xD8\x00\xDE"sv;
  EXPECT_EQ(decoded("utf-16le", "a\0"s.append(pairs)).size(), 200'001U);
}

std::string guess(std::string_view bytes) {
  const auto found = guess_encoding(bytes);
  return found ? found->name : "none";
}

TEST(GuessEncoding, GoesByMarksAndValidity) {
  EXPECT_EQ(guess("\xEF\xBB\xBF\xFF"), "UTF-8");
  EXPECT_EQ(guess("\xFF\xFE"
                  "a\0"sv),
            "UTF-16");
  EXPECT_EQ(guess("\xFF\xFE\0\0a\0\0\0"sv), "UTF-32");
  EXPECT_EQ(guess(""), "UTF-8");
  EXPECT_EQ(guess("plain ~ { text"), "UTF-8");
  EXPECT_EQ(guess("é"), "UTF-8");
  EXPECT_EQ(guess("a\0b"sv), "UTF-8");
  EXPECT_EQ(guess("o\0n\0e\0 \0t\0w\0o\0 \0"sv), "UTF-16LE");
  EXPECT_EQ(guess("\0o\0n\0e\0 \0t\0w\0o"sv), "UTF-16BE");
}

TEST(GuessEncoding, KnowsSevenBitChineseAndJapanese) {
  EXPECT_EQ(guess("~{VPND~}\n"), "HZ");
  EXPECT_EQ(guess("~{odd~}\n"), "UTF-8");
  EXPECT_EQ(guess("\x1B$BF|K\\\x1B(B"), "ISO-2022-JP");
}

TEST(GuessEncoding, TakesFewLettersForWesternOnes) {
  EXPECT_EQ(guess("Caf\xE9 noir"), "windows-1252");
  EXPECT_EQ(guess("It cost \xA3"
                  "5."),
            "windows-1252");
  EXPECT_EQ(guess("He said \x93yes\x94 and didn\x92t go."), "windows-1252");
}

TEST(GuessEncoding, TellsEncodingsOfTheSameLetters) {
  EXPECT_EQ(guess("\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0! \xCA\xE0\xEA \xE4\xE5\xEB\xE0?"), "windows-1251");
  EXPECT_EQ(guess("\xF0\xD2\xC9\xD7\xC5\xD4, \xCD\xC9\xD2! \xEB\xC1\xCB \xC4\xC5\xCC\xC1?"), "KOI8-U");
  EXPECT_EQ(guess("\x8F\xE0\xA8\xA2\xA5\xE2, \xAC\xA8\xE0! \x8A\xA0\xAA \xA4\xA5\xAB\xA0?"), "IBM866");
}

}  // namespace
}  // namespace bertprep
