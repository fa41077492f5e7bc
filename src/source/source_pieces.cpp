#include "source/source_pieces.h"

#include <algorithm>
#include <limits>

#include "source/formats/jsonl_source.h"
#include "source/formats/wikiextractor_source.h"
#include "stream/line_reader.h"
#include "unicode/code_points.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kNowhere = std::numeric_limits<std::uint64_t>::max();
constexpr const char* kBlanks = " \t\r\v\f";

bool is_blank_line(std::string_view line) {
  return line.find_first_not_of(kBlanks) == std::string_view::npos;
}

LineReader lines_from(const fs::path& file, std::uint64_t byte) {
  return {file, std::make_unique<FileStream>(file, byte), 1, byte};
}

std::uint64_t end_of(const LineReader& lines, std::string_view line) {
  return lines.line_offset() + line.size() + 1;
}

// After the first line that is not blank: that line decides how the file is read.
std::uint64_t end_of_first_record(const fs::path& file) {
  LineReader lines = lines_from(file, 0);
  for (std::string_view line; lines.next(line);) {
    if (!is_blank_line(lines.line_offset() == 0 ? unicode::without_byte_order_mark(line) : line))
      return end_of(lines, line);
  }
  return kNowhere;
}

// The first position at or after `byte` (not 0); may be beyond the end of the file.
std::uint64_t next_split(const fs::path& file, std::uint64_t byte, LineSplit where) {
  LineReader lines = lines_from(file, byte - 1);
  std::string_view line;
  if (!lines.next(line)) return kNowhere;
  while (where == LineSplit::kAfterBlankLine) {
    if (!lines.next(line)) return kNowhere;
    if (is_blank_line(line)) break;
  }
  return end_of(lines, line);
}

std::uint64_t count_lines(const fs::path& file, std::uint64_t begin, std::uint64_t end) {
  FileStream stream(file, begin, end);
  std::uint64_t count = 0;
  for (std::string_view block = stream.next_block(); !block.empty(); block = stream.next_block())
    count += static_cast<std::uint64_t>(std::count(block.begin(), block.end(), '\n'));
  return count;
}

// Counts from the nearest place whose lines are known: a mark, or the point before.
void number_lines(const fs::path& file, std::vector<SplitPoint>& points, const LineMarks& marks,
                  const TaskRunner& runner) {
  std::vector<LineMarks::Mark> from(points.size());
  runner.run(points.size(), [&](std::size_t i) {
    const std::uint64_t before = i == 0 ? 0 : points[i - 1].byte;
    from[i] = marks.before(file, points[i].byte);
    const std::uint64_t begin = std::max(from[i].byte, before);
    points[i].line = begin == points[i].byte ? 0 : count_lines(file, begin, points[i].byte);
  });
  std::uint64_t line = 1;
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (from[i].byte > before) line = 1 + from[i].lines;
    points[i].line = line += points[i].line;
    before = points[i].byte;
  }
}

}  // namespace

std::vector<SplitPoint> split_lines(const fs::path& file, std::uint64_t file_bytes, std::uint64_t pieces,
                                    LineSplit where, const LineMarks& marks, const TaskRunner& runner) {
  std::vector<SplitPoint> points;
  std::uint64_t before = 0;
  const std::uint64_t first = end_of_first_record(file);
  for (std::uint64_t i = 1; i < pieces && before < file_bytes; ++i) {
    const std::uint64_t wanted = std::max(even_split(file_bytes, i, pieces), first);
    if (wanted <= before || wanted >= file_bytes) continue;
    before = next_split(file, wanted, where);
    if (before < file_bytes) points.push_back({before});
  }
  number_lines(file, points, marks, runner);
  return points;
}

bool has_ranges(const fs::path& file, InputFormat format) {
  const bool is_json = format == InputFormat::kJsonl;
  if (!is_json && format != InputFormat::kArticles && format != InputFormat::kSentences &&
      format != InputFormat::kCsv && format != InputFormat::kTsv) {
    return false;
  }
  FileStream stream(file);
  const std::string_view first = stream.next_block();
  refuse_misnamed(file, first);
  if (compression_of(first) != Compression::kNone || begins_as_archive(first)) return false;
  // Where the elements of an array begin can't be told from a line.
  return !is_json || json_layout_of(unicode::without_byte_order_mark(first)) == JsonLayout::kLines;
}

bool is_of_records(InputFormat format) {
  using enum InputFormat;
  constexpr InputFormat kOfRecords[] = {kJsonl, kCsv, kTsv, kPubmed, kParquet, kArrow, kSqlite, kCirrus};
  return std::ranges::find(kOfRecords, format) != std::end(kOfRecords);
}

NameChoice choice_of(InputFormat format, const SourceOptions& options) {
  return {
      .ending = format == InputFormat::kBooks ? ".txt" : "", .include = options.include, .exclude = options.exclude};
}

std::vector<Input> list_source(std::span<const std::filesystem::path> inputs, InputFormat format,
                               const SourceOptions& options) {
  std::vector<Input> files = list_inputs(inputs, choice_of(format, options));
  if (format == InputFormat::kWikiextractor && options.include.empty()) keep_extracted_files(files);
  return files;
}

}  // namespace bertprep
