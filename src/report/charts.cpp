#include "report/charts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/number_text.h"
#include "report/html.h"
#include "shard/shard_names.h"

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

constexpr std::size_t kMaxColumns = 64;
constexpr double kWidestColumn = 36;
constexpr std::size_t kRankPoints = 120;
constexpr std::size_t kColours = 6;

std::string line_svg(std::string_view css_class, double x1, double y1, double x2, double y2) {
  return "<line class=\"" + std::string(css_class) + "\" x1=\"" + svg_number(x1) + "\" y1=\"" + svg_number(y1) +
         "\" x2=\"" + svg_number(x2) + "\" y2=\"" + svg_number(y2) + "\"/>";
}

std::string text_svg(double x, double y, std::string_view anchor, std::string_view text) {
  if (text.empty()) return {};
  return "<text x=\"" + svg_number(x) + "\" y=\"" + svg_number(y) + "\" text-anchor=\"" + std::string(anchor) + "\">" +
         escaped(text) + "</text>";
}

std::string axis_name(std::string_view name) {
  return text_svg((kChartLeft + kChartRight) / 2, kChartHeight - 2, "middle", name);
}

// Labels below a chart whose axis goes from the first value to the second.
std::string across_svg(const std::pair<double, double>& ends, std::string_view name) {
  const double span = std::max(ends.second - ends.first, 1e-9);
  const double step = std::max(step_of(span, 6), 1.0);
  std::string svg;
  for (double value = std::ceil(ends.first / step) * step; value <= ends.second; value += step) {
    const double x = kChartLeft + (kChartRight - kChartLeft) * (value - ends.first) / span;
    svg += text_svg(x, kChartBottom + 14, x > kChartRight - 8 ? "end" : "middle", short_number(value));
  }
  return svg + axis_name(name);
}

// Labels below columns that have names instead of values.
std::string names_svg(const std::vector<std::string>& names, std::string_view name) {
  const double slot = (kChartRight - kChartLeft) / static_cast<double>(names.size());
  std::string svg;
  for (std::size_t i = 0; i < names.size(); ++i) {
    svg += text_svg(kChartLeft + slot * (static_cast<double>(i) + 0.5), kChartBottom + 14, "middle", names[i]);
  }
  return svg + axis_name(name);
}

std::string rectangle(double x, double y, double width, double height, std::string_view css_class) {
  return "<rect class=\"" + std::string(css_class) + "\" x=\"" + svg_number(x) + "\" y=\"" + svg_number(y) +
         "\" width=\"" + svg_number(width) + "\" height=\"" + svg_number(std::max(height, 0.0)) + "\"";
}

std::string hint(const std::string& text) {
  return text.empty() ? "/>" : "><title>" + escaped(text) + "</title></rect>";
}

std::string picture(const ChartText& text, const std::string& content) {
  return figure(text, "<svg viewBox=\"0 0 " + svg_number(kChartWidth) + " " + svg_number(kChartHeight) +
                          "\" role=\"img\" aria-label=\"" + escaped(text.title + ": " + text.note) + "\">" + content +
                          "</svg>");
}

std::string column(const ChartColumn& column, double x, double width, const ChartAxis& up, bool is_dots) {
  const double y = up.place(column.value);
  const double middle = x + width / 2;
  std::string svg;
  if (is_dots) {
    const double radius = std::clamp(width / 2, 1.5, 3.5);
    svg = rectangle(middle - radius, y - radius, 2 * radius, 2 * radius, "c0") + " rx=\"" + svg_number(radius) + "\"";
  } else {
    const double gap = width > 3 ? std::min(width * 0.15, 3.0) : 0;
    svg = rectangle(x + gap / 2, y, width - gap, kChartBottom - y, "c0");
  }
  svg += hint(column.hint);
  if (column.most > column.least) {
    svg += line_svg("w", middle, up.place(column.least), middle, up.place(column.most));
  }
  return svg;
}

ChartColumn column_of(std::span<const ShardValue> shards) {
  const ShardValue& first = shards.front();
  if (shards.size() == 1) return {first.value, 0, 0, first.file + ": " + first.label};
  const auto [least, most] = std::ranges::minmax_element(shards, {}, &ShardValue::value);
  double sum = 0;
  for (const ShardValue& shard : shards) sum += shard.value;
  return {sum / static_cast<double>(shards.size()), least->value, most->value,
          first.file + " and the " + grouped(shards.size() - 1) + " after it: " + least->label + " to " + most->label};
}

}  // namespace

std::string figure(const ChartText& text, const std::string& content) {
  return element("figure", "card",
                 element("figcaption", "",
                         element("b", "", escaped(text.title)) + element("span", "", escaped(text.note))) +
                     content) +
         "\n";
}

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

std::string column_chart(const ColumnChart& chart) {
  double top = 0;
  for (const ChartColumn& column : chart.columns) top = std::max({top, column.value, column.most});
  const ChartAxis up = chart.is_half ? ChartAxis::of_shares() : ChartAxis::upwards(top);
  std::string svg = up.svg(chart.text.up);
  svg += chart.names.empty() ? across_svg(chart.across, chart.text.across) : names_svg(chart.names, chart.text.across);
  const double slot = (kChartRight - kChartLeft) / static_cast<double>(std::max<std::size_t>(chart.columns.size(), 1));
  const double width = std::min(slot, kWidestColumn);
  for (std::size_t i = 0; i < chart.columns.size(); ++i) {
    svg += column(chart.columns[i], kChartLeft + slot * (static_cast<double>(i) + 0.5) - width / 2, width, up,
                  chart.is_half);
  }
  if (chart.is_half) svg += line_svg("g", kChartLeft, up.place(0.5), kChartRight, up.place(0.5));
  return picture(chart.text, svg);
}

ColumnChart histogram(ChartText text, std::span<const std::uint64_t> counts) {
  std::size_t first = 0;
  std::size_t end = counts.size();
  while (end > 0 && counts[end - 1] == 0) --end;
  while (first < end && counts[first] == 0) ++first;
  if (first * 3 < end) first = 0;  // an axis from 0 is easier to read
  const std::size_t width = (end - first + kMaxColumns - 1) / kMaxColumns;
  ColumnChart chart{std::move(text)};
  for (std::size_t begin = first; begin < end; begin += width) {
    std::uint64_t sum = 0;
    for (std::size_t i = begin; i < std::min(begin + width, end); ++i) sum += counts[i];
    const std::string values =
        width == 1 ? std::to_string(begin) : std::to_string(begin) + " to " + std::to_string(begin + width - 1);
    chart.columns.push_back({static_cast<double>(sum), 0, 0, values + ": " + grouped(sum)});
  }
  // Labels are below the middle of a column for one value, else below the edges of columns.
  const double shift = width == 1 ? 0.5 : 0;
  chart.across = {static_cast<double>(first) - shift,
                  static_cast<double>(first + width * chart.columns.size()) - shift};
  return chart;
}

ColumnChart power_histogram(ChartText text, std::span<const std::uint64_t> counts) {
  std::size_t end = counts.size();
  while (end > 0 && counts[end - 1] == 0) --end;
  ColumnChart chart{std::move(text)};
  const std::size_t step = end > 10 ? 2 : 1;  // so that names fit
  for (std::size_t i = 0; i < end; ++i) {
    const double first = std::pow(2, i);
    const std::string values =
        i == 0 ? "1" : grouped(std::uint64_t{1} << i) + " to " + grouped((std::uint64_t{2} << i) - 1);
    chart.columns.push_back({static_cast<double>(counts[i]), 0, 0, values + ": " + grouped(counts[i])});
    chart.names.push_back(i % step == 0 ? short_number(first) : "");
  }
  return chart;
}

std::string rank_chart(const ChartText& text, std::span<const std::uint64_t> counts) {
  if (counts.empty()) return {};
  const double ranks = std::log10(static_cast<double>(std::max<std::size_t>(counts.size(), 10)));
  const double most = std::max(std::log10(static_cast<double>(counts.front())), 1.0);
  const auto x_of = [&](double rank) { return kChartLeft + (kChartRight - kChartLeft) * std::log10(rank) / ranks; };
  const ChartAxis up = ChartAxis::of_decades(most);
  std::string svg = up.svg(text.up);
  for (double rank = 1; std::log10(rank) <= ranks; rank *= 10) {
    const char* others = x_of(rank) > kChartRight - 8 ? "end" : "middle";
    svg += text_svg(x_of(rank), kChartBottom + 14, rank == 1 ? "start" : others, short_number(rank));
  }
  svg += axis_name(text.across);
  std::string points;
  std::size_t last = 0;
  for (std::size_t i = 0; i <= kRankPoints; ++i) {
    const double place = std::log10(static_cast<double>(counts.size())) * static_cast<double>(i) / kRankPoints;
    const auto rank =
        std::clamp<std::size_t>(static_cast<std::size_t>(std::lround(std::pow(10, place))), 1, counts.size());
    if (rank == last || counts[rank - 1] == 0) continue;
    last = rank;
    points += svg_number(x_of(static_cast<double>(rank))) + "," +
              svg_number(up.place(std::log10(static_cast<double>(counts[rank - 1])))) + " ";
  }
  return picture(text, svg + "<polyline class=\"k\" points=\"" + points + "\"/>");
}

std::string bar_list(const ChartText& text, std::span<const BarItem> items, double whole) {
  double most = whole;
  for (const BarItem& item : items) most = std::max(most, item.value);
  std::string rows;
  for (const BarItem& item : items) {
    const double width = most > 0 ? 100 * item.value / most : 0;
    rows += "<tr><td dir=\"auto\" title=\"" + escaped(item.name) + "\">" + escaped(item.name) +
            "</td><td><svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">" +
            rectangle(0, 0, std::max(width, 0.5), 10, "c0") + "/></svg></td><td>" + escaped(item.label) + "</td></tr>";
  }
  return figure(text, element("table", "bars", rows));
}

std::string share_bar(const ChartText& text, std::span<const BarItem> parts, double whole) {
  std::string bar = rectangle(0, 0, kChartWidth, 22, "c5") + "/>";
  std::string key;
  double x = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string colour = "c" + std::to_string(i % kColours);
    const double width = whole > 0 ? kChartWidth * parts[i].value / whole : 0;
    bar += rectangle(x, 0, width, 22, colour) + hint(parts[i].name + ": " + parts[i].label);
    x += width;
    key += "<li><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\">" + rectangle(0, 0, 10, 10, colour) +
           " rx=\"2\"/></svg>" + escaped(parts[i].name) + " " + element("b", "", escaped(parts[i].label)) + "</li>";
  }
  return figure(text, "<svg viewBox=\"0 0 " + svg_number(kChartWidth) + " 22\" role=\"img\" aria-label=\"" +
                          escaped(text.title) + "\">" + bar + "</svg>" + element("ul", "key", key));
}

ColumnChart shard_chart(ChartText text, std::vector<ShardValue> values) {
  std::ranges::stable_sort(values, {}, [](const ShardValue& shard) { return natural_key(shard.file); });
  const std::size_t together = (values.size() + kMaxColumns - 1) / kMaxColumns;
  text.across = together > 1 ? "shards, " + std::to_string(together) + " at a place: mean, least and most" : "shards";
  ColumnChart chart{std::move(text)};
  for (std::size_t begin = 0; begin < values.size(); begin += together) {
    chart.columns.push_back(column_of(std::span(values).subspan(begin, std::min(together, values.size() - begin))));
  }
  const double shift = together == 1 ? 0.5 : 0;
  chart.across = {-shift, static_cast<double>(values.size()) - shift};
  return chart;
}

}  // namespace bertprep
