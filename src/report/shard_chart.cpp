#include "report/shard_chart.h"

#include <algorithm>

#include "base/number_text.h"
#include "shard/shard_names.h"

namespace bertprep {
namespace {

constexpr std::size_t kMostPlaces = 64;

ChartColumn column_of(const std::vector<ShardValue>& values, std::size_t begin, std::size_t end) {
  if (end - begin == 1) return {values[begin].value, 0, 0, values[begin].file + ": " + values[begin].label};
  const auto less = [](const ShardValue& left, const ShardValue& right) { return left.value < right.value; };
  const auto [least, most] = std::minmax_element(values.begin() + static_cast<std::ptrdiff_t>(begin),
                                                 values.begin() + static_cast<std::ptrdiff_t>(end), less);
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) sum += values[i].value;
  return {sum / static_cast<double>(end - begin), least->value, most->value,
          values[begin].file + " and the " + grouped(end - begin - 1) + " behind it: " + least->label + " to " +
              most->label};
}

}  // namespace

ColumnChart shard_chart(ChartText text, std::vector<ShardValue> values) {
  std::stable_sort(values.begin(), values.end(), [](const ShardValue& left, const ShardValue& right) {
    return natural_key(left.file) < natural_key(right.file);
  });
  const std::size_t together = (values.size() + kMostPlaces - 1) / kMostPlaces;
  text.across = together > 1 ? "shards, " + std::to_string(together) + " at a place: mean, least and most" : "shards";
  ColumnChart chart{std::move(text)};
  for (std::size_t begin = 0; begin < values.size(); begin += together) {
    chart.columns.push_back(column_of(values, begin, std::min(begin + together, values.size())));
  }
  const double shift = together == 1 ? 0.5 : 0;
  chart.across = {-shift, static_cast<double>(values.size()) - shift};
  return chart;
}

}  // namespace bertprep
