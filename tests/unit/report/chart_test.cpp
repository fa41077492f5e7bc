#include <gmock/gmock.h>

#include <cmath>
#include <regex>

#include "report/charts.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;
using testing::Not;

double sum_of(const ColumnChart& chart) {
  double sum = 0;
  for (const ChartColumn& column : chart.columns) sum += column.value;
  return sum;
}

// The heights of the columns, as they are drawn.
std::vector<double> heights_in(const std::string& svg) {
  static const std::regex kColumn("<rect class=\"c0\"[^>]* height=\"([0-9.]+)\"");
  std::vector<double> heights;
  for (std::sregex_iterator at(svg.begin(), svg.end(), kColumn), end; at != end; ++at) {
    heights.push_back(std::stod((*at)[1]));
  }
  return heights;
}

TEST(ChartAxisTest, NumbersAreShort) {
  EXPECT_EQ(short_number(0), "0");
  EXPECT_EQ(short_number(950), "950");
  EXPECT_EQ(short_number(1500), "1.5k");
  EXPECT_EQ(short_number(123456), "123k");
  EXPECT_EQ(short_number(4.2e9), "4.2G");
}

TEST(ChartAxisTest, ReachesTheLargestValue) {
  for (double most = 1; most < 1e12; most *= 1.7) {
    const ChartAxis axis = ChartAxis::upwards(most);
    EXPECT_DOUBLE_EQ(axis.place(0), kChartBottom);
    EXPECT_GE(axis.place(most), kChartTop - 1e-6) << most;
    EXPECT_LT(axis.place(most), kChartTop + 0.65 * (kChartBottom - kChartTop)) << most;
  }
}

TEST(HistogramTest, CountsEverythingOnceInFewColumns) {
  for (const std::size_t size : {1U, 21U, 64U, 65U, 129U, 513U, 4097U}) {
    std::vector<std::uint64_t> counts(size);
    double all = 0;
    for (std::size_t i = 0; i < size; ++i) all += static_cast<double>(counts[i] = i % 7 + (i + 1 == size ? 1 : 0));
    const ColumnChart chart = histogram({"t", "n"}, counts);
    EXPECT_LE(chart.columns.size(), 64U);
    EXPECT_DOUBLE_EQ(sum_of(chart), all) << size;
  }
}

TEST(HistogramTest, BeginsWhereTheCountsBegin) {
  std::vector<std::uint64_t> counts(101);
  counts[90] = 1;
  counts[100] = 3;
  const ColumnChart chart = histogram({"t", "n"}, counts);
  ASSERT_EQ(chart.columns.size(), 11U);
  EXPECT_EQ(chart.columns.front().hint, "90: 1");
  EXPECT_DOUBLE_EQ(chart.across.first, 89.5);
  EXPECT_TRUE(histogram({"t", "n"}, std::vector<std::uint64_t>(5)).columns.empty());
}

TEST(PowerHistogramTest, NamesColumnsByTheirFirstValue) {
  const ColumnChart chart = power_histogram({"t", "n"}, std::vector<std::uint64_t>{3, 0, 5, 0});
  ASSERT_EQ(chart.columns.size(), 3U);
  EXPECT_EQ(chart.columns[0].hint, "1: 3");
  EXPECT_EQ(chart.columns[2].hint, "4 to 7: 5");
  EXPECT_THAT(column_chart(chart), HasSubstr(">4</text>"));
}

TEST(ColumnChartTest, HeightsAreInProportion) {
  ColumnChart chart{{"t", "n"}};
  for (const double value : {100.0, 50.0, 0.0, 25.0}) chart.columns.push_back({value});
  const std::vector<double> heights = heights_in(column_chart(chart));
  ASSERT_EQ(heights.size(), 4U);
  EXPECT_NEAR(heights[1] / heights[0], 0.5, 0.01);
  EXPECT_EQ(heights[2], 0);
  EXPECT_NEAR(heights[3] / heights[0], 0.25, 0.01);
}

TEST(ColumnChartTest, NamesAreText) {
  ColumnChart chart{{"<b>", "<i>", "<x>", "<y>"}};
  chart.columns.push_back({1, 0, 0, "<script>"});
  chart.is_half = true;
  const std::string html = column_chart(chart);
  for (const char* name : {"<b><b>", "<i>", "<x>", "<y>", "<script>"}) EXPECT_THAT(html, Not(HasSubstr(name)));
  EXPECT_THAT(html, HasSubstr("<title>&lt;script&gt;</title>"));
}

TEST(ShardChartTest, PutsShardsInTheirNaturalOrder) {
  const ColumnChart chart = shard_chart({"t", "n"}, {{"x_10", 3, "3"}, {"x_9", 2, "2"}, {"x_1", 1, "1"}});
  ASSERT_EQ(chart.columns.size(), 3U);
  EXPECT_EQ(chart.columns[1].hint, "x_9: 2");
  EXPECT_EQ(chart.columns[2].hint, "x_10: 3");
}

TEST(ShardChartTest, ShowsManyShardsByTheirMeanAndEnds) {
  std::vector<ShardValue> values;
  for (int i = 0; i < 1000; ++i)
    values.push_back({"x_" + std::to_string(i), static_cast<double>(i), std::to_string(i)});
  const ColumnChart chart = shard_chart({"t", "n"}, values);
  ASSERT_EQ(chart.columns.size(), 63U);
  EXPECT_DOUBLE_EQ(chart.columns[0].least, 0);
  EXPECT_DOUBLE_EQ(chart.columns[0].value, 7.5);
  EXPECT_DOUBLE_EQ(chart.columns[0].most, 15);
  EXPECT_EQ(chart.columns[0].hint, "x_0 and the 15 after it: 0 to 15");
}

TEST(BarListTest, IsAsLongAsTheLargestOrTheWhole) {
  const std::vector<BarItem> items{{"<a>", 2, "2"}, {"b", 1, "1"}};
  EXPECT_THAT(bar_list({"t", "n"}, items), HasSubstr("width=\"100\""));
  EXPECT_THAT(bar_list({"t", "n"}, items, 4), Not(HasSubstr("width=\"100\"")));
  EXPECT_THAT(bar_list({"t", "n"}, items), Not(HasSubstr("<a>")));
}

TEST(RankChartTest, FallsFromTheMostFrequent) {
  std::vector<std::uint64_t> counts;
  for (std::uint64_t rank = 1; rank <= 5000; ++rank) counts.push_back(5000 / rank);
  const std::string html = rank_chart({"t", "n"}, counts);
  static const std::regex kPoint("([0-9.]+),([0-9.]+) ");
  double last_x = 0;
  double last_y = 0;
  int points = 0;
  for (std::sregex_iterator at(html.begin(), html.end(), kPoint), end; at != end; ++at, ++points) {
    EXPECT_GT(std::stod((*at)[1]), last_x);
    EXPECT_GE(std::stod((*at)[2]), last_y);
    last_x = std::stod((*at)[1]);
    last_y = std::stod((*at)[2]);
  }
  EXPECT_GT(points, 50);
  EXPECT_EQ(rank_chart({"t", "n"}, {}), "");
}

}  // namespace
}  // namespace bertprep::test
