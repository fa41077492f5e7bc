// Rows and bytes of each file.
#include <algorithm>

#include "base/number_text.h"
#include "quality/data_counts.h"
#include "report/charts.h"
#include "report/html.h"
#include "report/report_sections.h"

namespace bertprep {
namespace {

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
