// Every code point against the property tables of Python 3.11 (unitables.tsv).
#include "unicode/properties/mappings.h"
#include "unicode/properties/properties.h"

#include <cstdlib>
#include <functional>
#include <map>
#include <set>

#include "support/golden_data.h"

namespace bertprep {
namespace {

constexpr char32_t kLast = 0x10FFFF;

bool is_surrogate(char32_t c) {
  return c >= 0xD800 && c <= 0xDFFF;
}
char32_t hex(const std::string& text) {
  return static_cast<char32_t>(std::strtoul(text.c_str(), nullptr, 16));
}

std::u32string hex_list(const std::string& text) {
  std::u32string list;
  for (std::size_t at = 0; at < text.size(); at = text.find_first_of(' ', at) + 1) {
    list += hex(text.substr(at));
    if (text.find(' ', at) == std::string::npos) break;
  }
  return list;
}

class UnicodeTables : public test::GoldenTest {
 protected:
  void SetUp() override {
    GoldenTest::SetUp();
    if (IsSkipped()) return;
    for (const std::string& line : test::read_lines(goldens() / "unitables.tsv")) {
      if (!line.starts_with('#')) read_row(test::split_tabs(line));
    }
    ASSERT_EQ(members_.size(), 10U);
  }

  void read_row(const std::vector<std::string>& cells) {
    if (cells[0] == "R") {
      for (char32_t c = hex(cells[2]); c <= hex(cells[3]); ++c) members_[cells[1]].insert(c);
    } else if (cells[0] == "LOWER") {
      lower_[hex(cells[1])] = hex_list(cells[2]);
    } else if (cells[0] == "NFD") {
      nfd_[hex(cells[1])] = hex_list(cells[2]);
    } else if (cells[0] == "CCC") {
      for (char32_t c = hex(cells[1]); c <= hex(cells[2]); ++c) combining_class_[c] = std::stoi(cells[3]);
    }
  }

  void expect_members(const std::string& name, const std::function<bool(char32_t)>& property) {
    const std::set<char32_t>& members = members_.at(name);
    for (char32_t c = 0; c <= kLast; ++c) {
      ASSERT_EQ(property(c), members.contains(c)) << name << " U+" << std::hex << static_cast<unsigned>(c);
    }
  }

  std::map<std::string, std::set<char32_t>> members_;
  std::map<char32_t, std::u32string> lower_, nfd_;
  std::map<char32_t, int> combining_class_;
};

TEST_F(UnicodeTables, CategoriesAndDerivedProperties) {
  expect_members("PUNCT", unicode::is_punctuation);
  expect_members("MN", unicode::is_nonspacing_mark);
  expect_members("DIGIT", unicode::is_decimal_digit);
  expect_members("UPPER", unicode::is_upper);
  expect_members("LOWERP", unicode::is_lower);
  expect_members("WORD_NOT_DIGIT", unicode::is_word_not_digit);
}

// The table leaves TAB, LF and CR out, as the tokenizer does, and surrogates, which its header line mentions.
TEST_F(UnicodeTables, Controls) {
  expect_members("CTRL", [&](char32_t c) {
    if (c == '\t' || c == '\n' || c == '\r') return !unicode::is_control(c);
    if (is_surrogate(c)) return unicode::is_control(c) && members_["CTRL"].contains(c);
    return unicode::is_control(c);
  });
}

TEST_F(UnicodeTables, LowerOfOneCharacter) {
  for (char32_t c = 0; c <= kLast; ++c) {
    const auto found = lower_.find(c);
    const std::u32string expected = found == lower_.end() ? std::u32string(1, c) : found->second;
    ASSERT_EQ(unicode::lower(std::u32string(1, c)), c == 0x3A3 ? U"\u03c3" : expected)
        << "U+" << std::hex << static_cast<unsigned>(c);
    ASSERT_EQ(unicode::changes_in_lower(c), c == 0x3A3 || found != lower_.end())
        << "U+" << std::hex << static_cast<unsigned>(c);
  }
}

std::u32string hangul_parts(char32_t c) {
  const char32_t index = c - 0xAC00;
  std::u32string parts{0x1100 + index / 588, 0x1161 + index % 588 / 28};
  if (index % 28 != 0) parts += 0x11A7 + index % 28;
  return parts;
}

TEST_F(UnicodeTables, DecompositionOfOneCharacter) {
  for (char32_t c = 0; c <= kLast; ++c) {
    const bool hangul = c >= 0xAC00 && c <= 0xD7A3;
    const auto found = nfd_.find(c);
    const std::u32string expected = hangul                ? hangul_parts(c)
                                    : found == nfd_.end() ? std::u32string(1, c)
                                                          : found->second;
    ASSERT_EQ(unicode::nfd(std::u32string(1, c)), expected) << "U+" << std::hex << static_cast<unsigned>(c);
    ASSERT_EQ(unicode::decomposes(c), hangul || found != nfd_.end());
  }
}

// U+0315 has class 232 and U+0334 class 1: their order tells the class of a character between them.
TEST_F(UnicodeTables, CombiningClasses) {
  std::map<int, char32_t> one_of_class;
  for (const auto& [c, number] : combining_class_) {
    if (!nfd_.contains(c)) one_of_class.emplace(number, c);
  }
  for (char32_t c = 0; c <= kLast; ++c) {
    const auto found = combining_class_.find(c);
    ASSERT_EQ(unicode::has_combining_class(c), found != combining_class_.end()) << std::hex << static_cast<unsigned>(c);
    if (found == combining_class_.end() || nfd_.contains(c)) continue;
    for (const auto& [number, other] : one_of_class) {
      const std::u32string sorted = number > found->second ? std::u32string{c, other} : std::u32string{other, c};
      ASSERT_EQ(unicode::nfd(std::u32string{other, c}), sorted) << std::hex << static_cast<unsigned>(c);
    }
  }
}

// A sigma beside the character shows both properties of the final-sigma
// rule.
TEST_F(UnicodeTables, FinalSigmaContext) {
  const auto& cased = members_.at("CASED_NOT_IGNORABLE");
  const auto& ignorable = members_.at("CASE_IGNORABLE");
  for (char32_t c = 0; c <= kLast; ++c) {
    SCOPED_TRACE(static_cast<unsigned>(c));
    ASSERT_EQ(unicode::lower(std::u32string{c, 0x3A3}).back() == 0x3C2, cased.contains(c));
    ASSERT_EQ(unicode::lower(std::u32string{'A', c, 0x3A3}).back() == 0x3C2,
              cased.contains(c) || ignorable.contains(c));
    ASSERT_EQ(unicode::lower(std::u32string{'A', 0x3A3, c})[1] == 0x3C2, !cased.contains(c));
    ASSERT_EQ(unicode::lower(std::u32string{'A', 0x3A3, c, 'A'})[1] == 0x3C2,
              !cased.contains(c) && !ignorable.contains(c));
  }
}

}  // namespace
}  // namespace bertprep
