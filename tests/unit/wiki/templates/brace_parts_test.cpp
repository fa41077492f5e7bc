#include "wiki/templates/braces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "twins/braces.h"

namespace bertprep {
namespace {

using testing::ElementsAre;

std::vector<std::string> parts_of(std::string_view text) {
  BraceStack stack;
  const auto parts = all_parts(text, stack);
  EXPECT_EQ(first_part(text, stack), parts.front());
  return {parts.begin(), parts.end()};
}

TEST(BraceParts, CutsOutsideBracesAndLinks) {
  EXPECT_THAT(parts_of("a|b"), ElementsAre("a", "b"));
  EXPECT_THAT(parts_of(""), ElementsAre(""));
  EXPECT_THAT(parts_of("|"), ElementsAre("", ""));
  EXPECT_THAT(parts_of("a{{b|c}}d|[[e|f]]|g"), ElementsAre("a{{b|c}}d", "[[e|f]]", "g"));
}

TEST(BraceParts, CutsEverywhereAfterWhatIsNeverClosed) {
  EXPECT_THAT(parts_of("{{a|b}}|[[c|d|{{e|f}}"), ElementsAre("{{a|b}}", "[[c", "d", "{{e", "f}}"));
}

TEST(BraceParts, ArePlainOnesOnRandomTexts) {
  std::mt19937 random(11);
  constexpr std::string_view kLetters = "{}[]|a";
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (auto runs = random() % 25; runs > 0; --runs) text.append(1 + random() % 3, kLetters[random() % 6]);
    ASSERT_EQ(parts_of(text), test::plain_brace_parts(text)) << text;
  }
}

}  // namespace
}  // namespace bertprep
