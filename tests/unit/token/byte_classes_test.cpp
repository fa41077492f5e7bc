#include "token/byte_classes.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "twins/plain_byte_block.h"

namespace bertprep {
namespace {

std::string class_names(const ByteClasses& classes, std::size_t at) {
  const auto has = [at](std::uint64_t bits) { return (bits >> at & 1) != 0; };
  std::string names;
  if (has(classes.letters)) names += "letter ";
  if (has(classes.spaces)) names += "space ";
  if (has(classes.odd)) names += "odd ";
  if (has(classes.brackets)) names += "bracket ";
  if (has(classes.punctuation())) names += "punctuation ";
  return names;
}

std::string expected_names(unsigned c) {
  if (c >= 0x80) return "odd ";
  if (c == ' ' || c == '\t' || c == '\n' || c == '\r') return "space ";
  if (std::isalnum(static_cast<int>(c)) != 0) return "letter ";
  if (c < 0x20 || c == 0x7F) return "odd ";
  return c == '[' ? "bracket punctuation " : "punctuation ";
}

TEST(ByteClasses, SortEveryByteAtEveryPlace) {
  for (unsigned c = 0; c < 256; ++c) {
    for (std::size_t at = 0; at < ByteClasses::kBytes; ++at) {
      std::string bytes(ByteClasses::kBytes, 'x');
      bytes[at] = static_cast<char>(c);
      ASSERT_EQ(class_names(classify(bytes.data()), at), expected_names(c)) << c;
      ASSERT_EQ(class_names(classify<test::PlainByteBlock>(bytes.data()), at), expected_names(c)) << c;
    }
  }
}

TEST(ByteClasses, BothWaysAgreeOnRandomBytes) {
  std::mt19937 draws(7);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes;
    while (bytes.size() < ByteClasses::kBytes) bytes += static_cast<char>(draws() & 0xFF);
    ASSERT_EQ(classify(bytes.data()), classify<test::PlainByteBlock>(bytes.data()));
  }
}

}  // namespace
}  // namespace bertprep
