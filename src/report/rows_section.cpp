// Lengths, padding, predictions and next sentences of the rows; rows and bytes of each file.
#include <algorithm>

#include "base/number_text.h"
#include "quality/data_counts.h"
#include "report/charts.h"
#include "report/html.h"
#include "report/report_sections.h"

namespace bertprep {
namespace {

// The value below which half of the counted things are.
std::size_t median_of(const std::vector<std::uint64_t>& counts, std::uint64_t all) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    sum += counts[i];
    if (2 * sum >= all) return i;
  }
  return 0;
}

std::string length_chart(const RowFigures& figures) {
  const std::uint64_t full = figures.lengths().back();
  return column_chart(histogram({"Tokens in a row",
                                 "half of the rows have " + grouped(median_of(figures.lengths(), figures.rows())) +
                                     " or fewer; " + percent(share_of(full, figures.rows())) + " are full",
                                 "tokens", "rows"},
                                figures.lengths()));
}

std::string places_chart(const RowFigures& figures) {
  const std::uint64_t padding = figures.places() - figures.tokens();
  const std::uint64_t predicted = std::min(figures.predictions(), figures.tokens());
  const auto part = [&](const char* name, std::uint64_t count) {
    return BarItem{name, static_cast<double>(count), percent(share_of(count, figures.places()))};
  };
  const std::uint64_t first = figures.tokens() - figures.in_second_segment();
  std::string note = "padding is computed, but teaches nothing";
  if (figures.in_second_segment() > 0) {
    note = "first segment " + rounded(share_of(first, figures.rows()), 0) + " tokens, second " +
           rounded(share_of(figures.in_second_segment(), figures.rows()), 0) + "; " + note;
  }
  const std::vector<BarItem> parts{part("read", figures.tokens() - predicted),
                                   part("to predict", predicted),
                                   {"padding", 0, percent(share_of(padding, figures.places()))}};
  std::vector<BarItem> shown = parts;
  shown.back().value = static_cast<double>(padding);
  return share_bar({"What the rows hold at each position", note}, shown, static_cast<double>(figures.places()));
}

std::string masks_chart(const RowFigures& figures) {
  return column_chart(histogram({"Tokens to predict in a row",
                                 percent(share_of(figures.predictions(), figures.tokens())) + " of the tokens, " +
                                     rounded(share_of(figures.predictions(), figures.rows()), 1) + " a row; up to " +
                                     grouped(figures.max_predictions()),
                                 "tokens to predict", "rows"},
                                figures.masks()));
}

std::string replacement_chart(const SetReport& set) {
  const ReplacementFigures figures = set.figures.replacements(set.mask_id());
  const std::uint64_t all = figures.by_mask + figures.by_same + figures.by_other;
  if (all == 0) return {};
  const auto part = [&](const char* name, std::uint64_t count) {
    return BarItem{name, static_cast<double>(count), percent(share_of(count, all))};
  };
  const std::vector<BarItem> parts{part("[MASK]", figures.by_mask), part("left as they are", figures.by_same),
                                   part("another token", figures.by_other)};
  return share_bar({"What replaces the tokens to predict", "BERT's recipe: 80 % [MASK], 10 % left, 10 % another"},
                   parts, static_cast<double>(all));
}

std::string next_chart(const SetReport& set) {
  std::vector<ShardValue> values;
  for (const FileFigures& file : set.figures.files()) {
    if (file.is_for_test || file.rows == 0) continue;
    values.push_back(
        {file.name, share_of(file.random_next, file.rows), percent(share_of(file.random_next, file.rows))});
  }
  ColumnChart chart = shard_chart({"Random next sentences by shard",
                                   percent(share_of(set.figures.random_next(), set.figures.labelled())) +
                                       " of all rows; about half is expected in every shard",
                                   {},
                                   "rows with label 1"},
                                  std::move(values));
  chart.is_share = true;
  chart.is_dots = true;
  chart.guide = 0.5;
  return column_chart(chart);
}

std::string rows_chart(const char* title, const std::vector<const FileFigures*>& files) {
  std::vector<std::uint64_t> rows;
  std::vector<ShardValue> values;
  for (const FileFigures* file : files) {
    rows.push_back(file->rows);
    values.push_back({file->name, static_cast<double>(file->rows), counted(file->rows, "row")});
  }
  std::sort(rows.begin(), rows.end());
  return column_chart(shard_chart(
      {title,
       grouped(rows.front()) + " to " + grouped(rows.back()) + " (median " + grouped(rows[rows.size() / 2]) + ")",
       {},
       "rows"},
      std::move(values)));
}

std::string bytes_chart(const std::vector<const FileFigures*>& files) {
  std::vector<ShardValue> values;
  std::uint64_t bytes = 0;
  std::uint64_t rows = 0;
  for (const FileFigures* file : files) {
    bytes += file->bytes;
    rows += file->rows;
    values.push_back({file->name, static_cast<double>(file->bytes), grouped(file->bytes) + " bytes"});
  }
  const double bytes_a_row = static_cast<double>(bytes) / static_cast<double>(std::max<std::uint64_t>(rows, 1));
  return column_chart(shard_chart(
      {"Bytes of training files", rounded(bytes_a_row, 0) + " bytes per row on disk", {}, "bytes"}, std::move(values)));
}

}  // namespace

std::string rows_section(const SetReport& set) {
  const RowFigures& figures = set.figures;
  if (figures.rows() == 0 || figures.row_length() == 0) return {};
  std::string charts = length_chart(figures);
  if (figures.max_predictions() > 0) charts += masks_chart(figures);
  if (figures.labelled() > 0) charts += next_chart(set);
  charts += places_chart(figures) + replacement_chart(set);
  return element("h2", "", "Rows") + element("div", "grid", charts);
}

std::string files_section(const SetReport& set) {
  std::vector<const FileFigures*> training;
  std::vector<const FileFigures*> test;
  for (const FileFigures& file : set.figures.files()) (file.is_for_test ? test : training).push_back(&file);
  std::string charts;
  if (!training.empty()) charts += rows_chart("Rows of training files", training) + bytes_chart(training);
  if (!test.empty()) charts += rows_chart("Rows of test files", test);
  return charts.empty() ? std::string() : element("h2", "", "Files") + element("div", "grid", charts);
}

}  // namespace bertprep
