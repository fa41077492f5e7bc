// OnesRun against a plain check of every value, and digests of rows with and without known ones.
#include "quality/row_view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace bertprep::test {
namespace {

using Values = std::vector<std::int64_t>;

std::optional<OnesRun> plain_ones(const Values& values) {
  OnesRun run;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == 0) continue;
    if (values[i] != 1) return std::nullopt;
    if (run.end == 0) run.begin = i;
    if (run.end != 0 && run.end != i) return std::nullopt;
    run.end = i + 1;
  }
  return run;
}

Values random_values(std::mt19937& random) {
  Values values(random() % 70);
  if (values.empty()) return values;
  const std::size_t begin = random() % values.size();
  std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(begin), random() % (values.size() - begin + 1), 1);
  constexpr std::int64_t kOthers[]{0, 1, 2, 3, 255};
  if (random() % 2 == 0) values[random() % values.size()] = kOthers[random() % 5];
  return values;
}

void expect_same(const std::optional<OnesRun>& found, const std::optional<OnesRun>& expected) {
  ASSERT_EQ(found.has_value(), expected.has_value());
  if (!found) return;
  EXPECT_EQ(found->begin, expected->begin);
  EXPECT_EQ(found->end, expected->end);
}

TEST(OnesRunTest, FindsWhatAPlainLookFinds) {
  std::mt19937 random(1);
  int runs = 0;
  for (int i = 0; i < 5000; ++i) {
    const Values values = random_values(random);
    const std::vector<std::uint8_t> bytes(values.begin(), values.end());
    const auto expected = plain_ones(values);
    runs += expected ? 1 : 0;
    expect_same(find_ones(std::span(values)), expected);
    expect_same(find_ones(std::span(bytes)), expected);
  }
  EXPECT_GT(runs, 2500);
  EXPECT_LT(runs, 4900);
}

TEST(OnesRunTest, TakesNegativeValuesForNoOnes) {
  EXPECT_FALSE(find_ones(std::span<const std::int64_t>(Values{1, -1, 0})));
  EXPECT_FALSE(find_ones(std::span<const std::int64_t>(Values{std::int64_t{1} << 40U, 0})));
}

TEST(OnesRunTest, DigestsAreOfTheValuesAlone) {
  std::mt19937 random(2);
  const Values ids{5, 6, 7};
  std::vector<std::pair<std::uint64_t, std::pair<Values, Values>>> digests;
  for (int i = 0; i < 400; ++i) {
    const Values mask = random_values(random), segments = random_values(random);
    RowView row;
    row.ids = ids;
    row.mask = mask;
    row.segments = segments;
    const std::uint64_t digest = digest_of(row);
    row.mask_ones = find_ones(row.mask);
    row.segment_ones = find_ones(row.segments);
    EXPECT_EQ(digest_of(row), digest);
    for (const auto& [other, values] : digests) EXPECT_EQ(other == digest, values == std::pair(mask, segments));
    digests.emplace_back(digest, std::pair(mask, segments));
  }
}

}  // namespace
}  // namespace bertprep::test
