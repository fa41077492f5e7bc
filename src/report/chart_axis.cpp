#include "report/chart_axis.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "report/html.h"

namespace bertprep {
namespace {

// 1, 2 or 5 times a power of ten, so that `span` has at most `count` such steps.
double step_of(double span, double count) {
  const double least = span / count;
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

}  // namespace

ChartAxis ChartAxis::upwards(double most) {
  ChartAxis axis;
  const double step = std::max(step_of(std::max(most, 1.0), 4), 1.0);
  axis.max_ = step * std::ceil(std::max(most, 1.0) / step - 1e-9);
  for (double value = 0; value <= axis.max_ * (1 + 1e-9); value += step) {
    axis.ticks_.emplace_back(value, short_number(value));
  }
  return axis;
}

ChartAxis ChartAxis::of_shares() {
  ChartAxis axis;
  axis.ticks_ = {{0, "0 %"}, {0.25, "25 %"}, {0.5, "50 %"}, {0.75, "75 %"}, {1, "100 %"}};
  return axis;
}

ChartAxis ChartAxis::of_decades(double max_log10) {
  ChartAxis axis;
  axis.max_ = max_log10 * 1.03;
  const double step = max_log10 > 6 ? 2 : 1;
  for (double value = 0; value <= max_log10; value += step) {
    axis.ticks_.emplace_back(value, short_number(std::pow(10, value)));
  }
  return axis;
}

double ChartAxis::place(double value) const {
  return kChartBottom - (kChartBottom - kChartTop) * value / max_;
}

std::string ChartAxis::svg(std::string_view name) const {
  std::string svg = text_svg(0, 9, "start", name);
  for (const auto& [value, label] : ticks_) {
    const double y = place(value);
    svg += line_svg("l", kChartLeft, y, kChartRight, y) + text_svg(kChartLeft - 5, y + 4, "end", label);
  }
  return svg;
}

std::string across_svg(const std::pair<double, double>& ends, std::string_view name) {
  const double span = std::max(ends.second - ends.first, 1e-9);
  const double step = std::max(step_of(span, 6), 1.0);
  std::string svg;
  for (double value = std::ceil(ends.first / step) * step; value <= ends.second; value += step) {
    const double x = kChartLeft + (kChartRight - kChartLeft) * (value - ends.first) / span;
    svg += text_svg(x, kChartBottom + 14, x > kChartRight - 8 ? "end" : "middle", short_number(value));
  }
  return svg + text_svg((kChartLeft + kChartRight) / 2, kChartHeight - 2, "middle", name);
}

std::string names_svg(const std::vector<std::string>& names, std::string_view name) {
  const double slot = (kChartRight - kChartLeft) / static_cast<double>(names.size());
  std::string svg;
  for (std::size_t i = 0; i < names.size(); ++i) {
    svg += text_svg(kChartLeft + slot * (static_cast<double>(i) + 0.5), kChartBottom + 14, "middle", names[i]);
  }
  return svg + text_svg((kChartLeft + kChartRight) / 2, kChartHeight - 2, "middle", name);
}

std::string line_svg(std::string_view css_class, double x1, double y1, double x2, double y2) {
  return "<line class=\"" + std::string(css_class) + "\" x1=\"" + svg_number(x1) + "\" y1=\"" + svg_number(y1) +
         "\" x2=\"" + svg_number(x2) + "\" y2=\"" + svg_number(y2) + "\"/>";
}

std::string text_svg(double x, double y, std::string_view anchor, std::string_view text, std::string_view attributes) {
  if (text.empty()) return {};
  return "<text x=\"" + svg_number(x) + "\" y=\"" + svg_number(y) + "\" text-anchor=\"" + std::string(anchor) + "\"" +
         std::string(attributes) + ">" + escaped(text) + "</text>";
}

std::string short_number(double value) {
  static constexpr std::array<std::pair<double, const char*>, 4> kUnits{
      {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}};
  for (const auto& [unit, sign] : kUnits) {
    if (value < unit) continue;
    const double scaled = value / unit;
    return svg_number(scaled < 100 ? std::round(scaled * 10) / 10 : std::round(scaled)) + sign;
  }
  return svg_number(value);
}

}  // namespace bertprep
