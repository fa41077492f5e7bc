// Charts as figures of HTML: SVG that scales with its card, and lists of bars. Every name and label is text; the
// charts escape it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bertprep {

// In units of the viewBox. A card is some 320 pixels wide on phones and desktops, so that text keeps its size.
inline constexpr double kChartWidth = 320;
inline constexpr double kChartHeight = 184;
inline constexpr double kChartLeft = 38;
inline constexpr double kChartRight = 314;
inline constexpr double kChartTop = 18;
inline constexpr double kChartBottom = 152;

// ChartAxis: where values are in a chart, and the lines and labels of its axes.
class ChartAxis {
 public:
  static ChartAxis upwards(double most);          // from 0
  static ChartAxis of_shares();                   // 0 to 100 %
  static ChartAxis of_decades(double max_log10);  // from 1; values are logarithms

  double place(double value) const;  // y of a value
  // Lines and labels; `name` is above them.
  std::string svg(std::string_view name) const;

 private:
  double max_ = 1;
  std::vector<std::pair<double, std::string>> ticks_{};
};

// "950", "12k", "3.4M"
std::string short_number(double value);

struct ChartText {
  std::string title;
  std::string note;         // below the title: what to see in it
  std::string across = {};  // what the horizontal axis shows
  std::string up = {};
};

// A card; `content` is HTML.
std::string figure(const ChartText& text, const std::string& content);

// One column of the chart; a bar of many shards shows their minimum and maximum.
struct ChartColumn {
  double value = 0;
  double least = 0;
  double most = 0;
  std::string hint{};  // shown when pointed at
};

struct ColumnChart {
  ChartText text;
  std::vector<ChartColumn> columns{};
  std::pair<double, double> across{0, 1};  // values of the axis at its two ends
  std::vector<std::string> names{};        // of the columns, instead of values; empty ones are not shown
  // Values are shares of one, and expected to be a half: dots, an axis from 0 to 100 %, and a line at 50 %.
  bool is_half = false;
};

std::string column_chart(const ColumnChart& chart);

// `counts[i]` things have the value i: at most 64 columns of equally many values.
ColumnChart histogram(ChartText text, std::span<const std::uint64_t> counts);

// `counts[i]` things have values from 2^i up to the next power of two: one column for each.
ColumnChart power_histogram(ChartText text, std::span<const std::uint64_t> counts);

// Frequencies in descending order, both axes logarithmic.
std::string rank_chart(const ChartText& text, std::span<const std::uint64_t> counts_downwards);

struct BarItem {
  std::string name;
  double value = 0;
  std::string label;  // the value as shown
};

// A bar for each; the longest, or one of `whole`, has the full width.
std::string bar_list(const ChartText& text, std::span<const BarItem> items, double whole = 0);
// One bar divided into parts; the rest up to `whole` is empty.
std::string share_bar(const ChartText& text, std::span<const BarItem> parts, double whole);

// A chart with a column for each shard or, if there are many, for several consecutive ones.
struct ShardValue {
  std::string file;
  double value = 0;
  std::string label;  // as shown
};

// Shards are in the natural order of their names. Beyond 64, each column shows the mean, minimum and maximum of
// several.
ColumnChart shard_chart(ChartText text, std::vector<ShardValue> values);

}  // namespace bertprep
