// RowFigures against a plain count, on random rows.
#include "report/row_figures.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace bertprep::test {
namespace {

constexpr std::int64_t kMask = 4;
using Values = std::vector<std::int64_t>;

struct PlainRow {
  Values original;  // no padding
  std::map<std::size_t, std::int64_t> instead;
  std::int64_t label = 0;
};

PlainRow random_row(std::mt19937& random, std::size_t most) {
  PlainRow row;
  row.original.resize(2 + random() % (most - 1));
  for (auto& id : row.original) id = 5 + static_cast<std::int64_t>(random() % 90);
  for (std::size_t i = 1; i < row.original.size(); ++i) {
    if (random() % 6 != 0) continue;
    const auto draw = random() % 10;
    row.instead[i] = draw < 8 ? kMask : draw == 8 ? row.original[i] : 5 + static_cast<std::int64_t>(random() % 90);
  }
  row.label = static_cast<std::int64_t>(random() % 2);
  return row;
}

TEST(RowFiguresTest, CountsAsAPlainCountDoes) {
  constexpr std::size_t kLength = 40;
  std::mt19937 random(1);
  RowFigures figures;
  std::map<std::size_t, std::uint64_t> by_id;
  std::uint64_t tokens = 0, predictions = 0, masked = 0, same = 0, other = 0;
  std::vector<std::uint64_t> labels;
  for (int file = 0; file < 3; ++file) {
    figures.begin_file({"x_" + std::to_string(file)});
    labels.push_back(0);
    for (int i = 0; i < 500; ++i) {
      const PlainRow plain = random_row(random, kLength);
      Values ids = plain.original, mask(plain.original.size(), 1), positions, originals;
      for (const auto& [at, id] : plain.instead) {
        ids[at] = id;
        positions.push_back(static_cast<std::int64_t>(at));
        originals.push_back(plain.original[at]);
        ++(id == plain.original[at] ? same : id == kMask ? masked : other);
      }
      for (const auto id : plain.original) ++by_id[static_cast<std::size_t>(id)];
      tokens += plain.original.size();
      predictions += plain.instead.size();
      labels.back() += static_cast<std::uint64_t>(plain.label);
      ids.resize(kLength);
      mask.resize(kLength);
      positions.resize(kLength);
      originals.resize(kLength);
      figures.add({ids, mask, {}, positions, originals, {}, plain.label});
    }
  }
  EXPECT_EQ(figures.rows(), 1500U);
  EXPECT_EQ(figures.tokens(), tokens);
  EXPECT_EQ(figures.places(), 1500U * kLength);
  EXPECT_EQ(figures.predictions(), predictions);
  for (std::size_t file = 0; file < 3; ++file) {
    EXPECT_EQ(figures.files()[file].rows, 500U);
    EXPECT_EQ(figures.files()[file].random_next, labels[file]);
  }
  const std::vector<std::uint64_t> counted = figures.by_id();
  for (std::size_t id = 0; id < counted.size(); ++id) EXPECT_EQ(counted[id], by_id.contains(id) ? by_id[id] : 0) << id;
  ASSERT_EQ(figures.likely_mask(), kMask);
  const ReplacementFigures replacements = figures.replacements(kMask);
  EXPECT_EQ(replacements.by_mask, masked);
  EXPECT_EQ(replacements.by_same, same);
  EXPECT_EQ(replacements.by_other, other);
}

TEST(RowFiguresTest, KnowsOfNoMaskWhereTokensAreReplacedByAny) {
  RowFigures figures;
  for (std::int64_t i = 0; i < 100; ++i) {
    const Values ids{5, 10 + i % 7}, positions{1, 0}, originals{9, 0};
    figures.add({ids, {}, {}, positions, originals, {}, {}});
  }
  EXPECT_EQ(figures.likely_mask(), std::nullopt);
  EXPECT_EQ(figures.labelled(), 0U);
  EXPECT_EQ(RowFigures().likely_mask(), std::nullopt);
}

TEST(RowFiguresTest, CountsDamagedRowsBesideValidOnes) {
  RowFigures figures;
  const Values ids{5, 4, 6, 7}, mask{1, 1, 1, 0}, segments{0, 1, 1, 1}, positions{1, 2, 0}, originals{9, 6, 0};
  const Values outside{1, 4, 0}, negative{1, -1, 0}, short_of{9}, strange{9, -7, 0};
  figures.add({ids, mask, segments, positions, originals, {}, {}});
  figures.add({ids, mask, segments, positions, originals, {}, {}, OnesRun{0, 3}, OnesRun{1, 4}});
  figures.add({ids, mask, segments, outside, originals, {}, {}});
  figures.add({ids, mask, segments, negative, originals, {}, {}});
  figures.add({ids, mask, segments, positions, short_of, {}, {}});
  figures.add({ids, mask, segments, positions, strange, {}, {}});
  EXPECT_EQ(figures.predictions(), 12U);
  EXPECT_EQ(figures.in_second_segment(), 12U);
  EXPECT_EQ(figures.tokens(), 18U);
  const ReplacementFigures replacements = figures.replacements(4);
  EXPECT_EQ(replacements.by_mask, 6U);
  EXPECT_EQ(replacements.by_same, 2U);
  EXPECT_EQ(replacements.by_other, 2U);
  EXPECT_EQ(figures.by_id()[9], 6U);
  EXPECT_EQ(figures.by_id()[6], 4U);
}

TEST(RowFiguresTest, SurvivesDamagedRows) {
  RowFigures figures;
  const Values ids{-5, std::int64_t{1} << 60U, 7}, positions{1, 99, -4}, originals{-1, 5, 6};
  figures.add({ids, {}, {}, positions, originals, {}, 9});
  figures.add({});
  EXPECT_EQ(figures.rows(), 2U);
  EXPECT_EQ(figures.random_next(), 0U);
  EXPECT_EQ(figures.by_id()[7], 1U);
}

}  // namespace
}  // namespace bertprep::test
