// ChartAxis: where values are in a chart, and the lines and labels of its axes.
#pragma once

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

// Labels below a chart whose axis goes from the first value to the second.
std::string across_svg(const std::pair<double, double>& ends, std::string_view name);

// Labels below columns that have names instead of values.
std::string names_svg(const std::vector<std::string>& names, std::string_view name);

std::string line_svg(std::string_view css_class, double x1, double y1, double x2, double y2);
// `text` is escaped, `attributes` are not.
std::string text_svg(double x, double y, std::string_view anchor, std::string_view text,
                     std::string_view attributes = {});

// "950", "12k", "3.4M"
std::string short_number(double value);

}  // namespace bertprep
