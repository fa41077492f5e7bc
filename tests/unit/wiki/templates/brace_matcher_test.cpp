#include "wiki/templates/braces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "twins/braces.h"

namespace bertprep {
namespace {

using test::PlainSpan;
using testing::ElementsAre;
using testing::IsEmpty;

template <BraceKind kKind>
std::vector<PlainSpan> spans_of(std::string_view text) {
  BraceStack stack;
  BraceMatcher<kKind> matcher(text, stack);
  std::vector<PlainSpan> spans;
  while (const auto span = matcher.next()) spans.emplace_back(span->begin, span->end);
  return spans;
}

// With bounds that grow by one, as in the splitting of parts.
template <BraceKind kKind>
std::vector<PlainSpan> spans_by_bounds(std::string_view text) {
  BraceStack stack;
  BraceMatcher<kKind> matcher(text, stack);
  std::vector<PlainSpan> spans;
  for (std::size_t bound = 0; bound <= text.size(); ++bound) {
    while (const auto span = matcher.next(bound)) {
      EXPECT_LT(span->begin, bound);
      spans.emplace_back(span->begin, span->end);
    }
  }
  return spans;
}

template <BraceKind kKind>
void expect_as_plain(std::string_view text, long smallest) {
  const auto plain = test::plain_brace_spans(text, smallest);
  ASSERT_EQ(spans_of<kKind>(text), plain) << text;
  ASSERT_EQ(spans_by_bounds<kKind>(text), plain) << text;
}

void expect_all_as_plain(std::string_view text) {
  expect_as_plain<BraceKind::kTemplates>(text, 2);
  expect_as_plain<BraceKind::kArguments>(text, 3);
  expect_as_plain<BraceKind::kParts>(text, 0);
}

// All texts over `letters` of up to `longest` characters.
void expect_all_texts_as_plain(std::string_view letters, std::size_t longest) {
  for (std::size_t length = 0; length <= longest; ++length) {
    std::string text(length, letters[0]);
    std::vector<std::size_t> digits(length, 0);
    for (std::size_t carry = 0; carry < length || (length == 0 && carry == 0);) {
      expect_all_as_plain(text);
      if (testing::Test::HasFatalFailure()) return;
      for (carry = 0; carry < length; ++carry) {
        digits[carry] = (digits[carry] + 1) % letters.size();
        text[carry] = letters[digits[carry]];
        if (digits[carry] != 0) break;
      }
      if (length == 0) break;
    }
  }
}

std::string random_text(std::mt19937& random, std::string_view letters, std::size_t length) {
  std::string text;
  while (text.size() < length) text.append(1 + random() % 4, letters[random() % letters.size()]);
  return text;
}

TEST(BraceMatcher, FindsWhatIsOutermost) {
  EXPECT_THAT(spans_of<BraceKind::kTemplates>("a{{b{{c}}d}}e{{f}}"), ElementsAre(PlainSpan(1, 12), PlainSpan(13, 18)));
  EXPECT_THAT(spans_of<BraceKind::kArguments>("{{a}}{{{b|{{{c}}}}}}"), ElementsAre(PlainSpan(5, 20)));
  EXPECT_THAT(spans_of<BraceKind::kParts>("[[a|b]]|{{c|d}}"), ElementsAre(PlainSpan(0, 7), PlainSpan(8, 15)));
}

TEST(BraceMatcher, LetsARunBeClosedInPieces) {
  EXPECT_THAT(spans_of<BraceKind::kTemplates>("{{{{a}}b}}"), ElementsAre(PlainSpan(0, 10)));
  EXPECT_THAT(spans_of<BraceKind::kTemplates>("{{a}}}}"), ElementsAre(PlainSpan(0, 5)));
}

TEST(BraceMatcher, GivesUpAnOpeningOfWhichOneBraceIsLeft) {
  EXPECT_THAT(spans_of<BraceKind::kTemplates>("{{{a}}b}}{{c}}"), ElementsAre(PlainSpan(9, 14)));
  EXPECT_THAT(spans_of<BraceKind::kArguments>("{{{a}}b}{{{c}}}"), ElementsAre(PlainSpan(8, 15)));
}

TEST(BraceMatcher, StopsAtWhatIsNeverClosed) {
  EXPECT_THAT(spans_of<BraceKind::kTemplates>("{{a}}{{b {{c}}"), ElementsAre(PlainSpan(0, 5)));
  EXPECT_THAT(spans_of<BraceKind::kParts>("[[a {{b}}"), IsEmpty());
}

TEST(BraceMatcher, CountsOpenSquareBracketsForClosingCurlyOnes) {
  EXPECT_THAT(spans_of<BraceKind::kParts>("[[a|b}}"), ElementsAre(PlainSpan(0, 3)));
}

TEST(BraceMatcher, IsThePlainOneOnAllShortTexts) {
  expect_all_texts_as_plain("{}a", 10);
  expect_all_texts_as_plain("{}[]", 8);
}

TEST(BraceMatcher, IsThePlainOneOnRandomTexts) {
  std::mt19937 random(7);
  for (int i = 0; i < 4000; ++i) {
    expect_all_as_plain(random_text(random, i % 2 == 0 ? "{}[]|a" : "{{}}ab", 1 + random() % 150));
    if (HasFatalFailure()) return;
  }
}

TEST(BraceMatcher, SeesPairsWhereverBlocksOfBytesEnd) {
  for (std::size_t before = 0; before < 70; ++before) {
    for (const std::string_view braces : {"{{}}", "{{{a}}}", "[[]]"}) {
      expect_all_as_plain(std::string(before, 'a') + std::string(braces));
      expect_all_as_plain(std::string(before, '{') + std::string(braces) + std::string(before, '}'));
    }
  }
}

std::size_t plain_doubled(std::string_view text, std::string_view set, std::size_t from, std::size_t bound) {
  for (; from < bound && from + 1 < text.size(); ++from) {
    if (set.find(text[from]) != set.npos && text[from] == text[from + 1]) return from;
  }
  return bound;
}

TEST(BraceRuns, AreFoundWhereAPlainSearchFindsThem) {
  std::mt19937 random(5);
  for (int i = 0; i < 20000; ++i) {
    const std::string text = random_text(random, "{}[]ab|", 1 + random() % 80);
    const std::size_t from = random() % (text.size() + 1);
    const std::size_t bound = from + random() % (text.size() - from + 1);
    ASSERT_EQ(find_doubled<BraceSet::kCurly>(text, from, bound), plain_doubled(text, "{}", from, bound));
    ASSERT_EQ(find_doubled<BraceSet::kCurlyAndSquare>(text, from, bound), plain_doubled(text, "{}[]", from, bound));
  }
}

TEST(BraceMatcher, TakesTimeInProportionToTheText) {
  constexpr std::size_t kBytes = std::size_t{1} << 22;
  std::string mixed;
  while (mixed.size() < kBytes) mixed += "{{[[";
  for (const std::string& text : {std::string(kBytes, '{'), std::string(kBytes, '['), mixed}) {
    EXPECT_THAT(spans_of<BraceKind::kTemplates>(text), IsEmpty());
    EXPECT_THAT(spans_of<BraceKind::kParts>(text), IsEmpty());
  }
  std::string closed;
  while (closed.size() < kBytes) closed += "{{{x}} ";
  EXPECT_THAT(spans_of<BraceKind::kTemplates>(closed), IsEmpty());
}

}  // namespace
}  // namespace bertprep
