#include "source/line_pairs.h"

#include <algorithm>

#include "unicode/code_points.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

constexpr std::size_t kMinPairs = 4;
constexpr std::size_t kMinWidth = 40;
constexpr std::size_t kMaxWidth = 100;
// A longer one is text without blanks, which may be broken anywhere.
constexpr std::size_t kMaxWord = 15;

std::size_t characters_of(std::string_view text) {
  return static_cast<std::size_t>(unicode::character_count(text));
}

std::size_t first_word_of(std::string_view line) {
  const std::size_t characters = characters_of(line.substr(0, line.find(' ')));
  return characters > kMaxWord ? 1 : characters;
}

bool ends_sentence(std::string_view line) {
  constexpr std::u32string_view kEnds = U".!?\":)\u201D\u2026\u00BB\u3002\uFF01\uFF1F\u0964\u061F";
  return kEnds.find(unicode::code_point_before(line, line.size()).value) != kEnds.npos;
}

// All but one line in fifty are at most as long.
std::size_t usual_width(std::vector<std::size_t> widths) {
  if (widths.empty()) return 0;
  const auto at = widths.begin() + static_cast<std::ptrdiff_t>(widths.size() - 1 - widths.size() / 50);
  std::nth_element(widths.begin(), at, widths.end());
  return *at;
}

}  // namespace

bool LinePairs::are_wrapped() const {
  return all >= kMinPairs && wrapped * 2 >= all;
}

bool LinePairs::end_sentences() const {
  return all >= kMinPairs && ended * 5 >= all * 4;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) lines.push_back(take_part(text, '\n'));
  return lines;
}

LinePairs line_pairs_of(std::span<const std::string_view> lines) {
  std::vector<std::string_view> texts;
  std::vector<std::size_t> widths;
  for (const std::string_view line : lines) {
    texts.push_back(strip(line));
    if (!texts.back().empty()) widths.push_back(characters_of(texts.back()));
  }
  const std::size_t width = usual_width(std::move(widths));
  const bool may_be_wrapped = width >= kMinWidth && width <= kMaxWidth;
  LinePairs pairs;
  for (std::size_t i = 1; i < texts.size(); ++i) {
    if (texts[i - 1].empty() || texts[i].empty()) continue;
    ++pairs.all;
    const bool is_full = characters_of(texts[i - 1]) + 1 + first_word_of(texts[i]) >= width;
    const bool is_ended = ends_sentence(texts[i - 1]);
    pairs.ended += is_ended ? 1 : 0;
    pairs.wrapped += may_be_wrapped && is_full && !is_ended ? 1 : 0;
  }
  return pairs;
}

}  // namespace bertprep
