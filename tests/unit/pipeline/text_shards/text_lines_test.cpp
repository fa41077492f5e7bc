#include "pipeline/text_shards/article_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bertprep {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for_each_text_line(text, [&](std::string_view line) { lines.emplace_back(line); });
  return lines;
}

// Python's universal newlines, character by character.
std::vector<std::string> plain_lines_of(std::string_view text) {
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool ends = text[i] == '\n' || text[i] == '\r';
    if (!ends) {
      line += text[i];
    } else {
      if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') ++i;
      lines.push_back(line);
      line.clear();
    }
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

TEST(TextLines, EndAtLfCrAndCrlf) {
  EXPECT_THAT(lines_of("a\nb\rc\r\nd"), testing::ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(lines_of("a\n\nb\n"), testing::ElementsAre("a", "", "b"));
  EXPECT_THAT(lines_of(""), testing::IsEmpty());
}

TEST(TextLines, AgreeWithThePlainRuleForAllShortTexts) {
  constexpr std::string_view kLetters = "a\r\n";
  std::size_t texts = 1;
  for (std::size_t size = 0; size <= 8; ++size, texts *= kLetters.size()) {
    for (std::size_t number = 0; number < texts; ++number) {
      std::string text;
      for (std::size_t rest = number, i = 0; i < size; ++i, rest /= kLetters.size())
        text += kLetters[rest % kLetters.size()];
      ASSERT_EQ(lines_of(text), plain_lines_of(text)) << testing::PrintToString(text);
    }
  }
}

}  // namespace
}  // namespace bertprep
