#include "source/formats/parquet_source.h"

#include <algorithm>
#include <span>
#include <utility>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

bool begins_in(const RowGroup& group, const StoredFile& part) {
  return part.end == 0 || (group.begin() >= part.begin && group.begin() < part.end);
}

}  // namespace

ParquetSource::ParquetSource(TextInput input, ColumnOptions options)
    : input_(std::move(input)), options_(std::move(options)) {}

void ParquetSource::begin() {
  const StoredFile& stored = stored_file_of(input_, "Parquet");
  input_.bytes.reset();
  const std::filesystem::path& path = stored.path;
  const ParquetMetadata file = read_parquet_metadata(path);
  std::size_t first_group = 0;
  for (std::size_t i = 0; i < file.groups.size(); ++i) {
    if (!begins_in(file.groups[i], stored)) continue;
    if (groups_.empty()) first_group = i;
    groups_.push_back(file.groups[i]);
  }
  columns_ = RowColumns(file.schema, options_.text_field, input_.name);
  const ColumnFile common{
      .path = path,
      .runner = options_.runner,
      .max_page_bytes = options_.max_page_bytes(),
      .expansion = std::make_shared<Expansion>(path, std::filesystem::file_size(path), options_.max_expansion)};
  for (const SchemaColumn& column : columns_.columns()) {
    readers_.push_back(std::make_unique<ColumnReader>(common, column, groups_, first_group));
  }
  values_.resize(readers_.size());
  if (!groups_.empty()) row_ = groups_.front().first_row;
}

bool ParquetSource::read_row(SourceDocument& document) {
  for (std::size_t i = 0; i < readers_.size(); ++i) values_[i] = readers_[i]->next();
  document.origin.source = input_.name;
  document.origin.line = ++row_;
  document.origin.byte = group_byte_;
  if (ReadMeter* const meter = input_.stored->meter) meter->reach(readers_.front()->position());
  return columns_.take(values_, options_, document);
}

bool ParquetSource::read(SourceDocument& document) {
  if (!std::exchange(is_open_, true)) begin();
  while (group_ < groups_.size()) {
    const RowGroup& group = groups_[group_];
    if (row_ == group.first_row + group.rows) {
      ++group_;
      continue;
    }
    if (row_ == group.first_row) group_byte_ = group.begin();
    if (read_row(document)) return true;
  }
  return false;
}

std::vector<SplitPoint> split_parquet(const std::filesystem::path& file, std::uint64_t file_bytes,
                                      std::uint64_t pieces) {
  const ParquetMetadata metadata = read_parquet_metadata(file);
  const auto is_before = [](const RowGroup& left, const RowGroup& right) { return left.begin() < right.begin(); };
  if (!std::ranges::is_sorted(metadata.groups, is_before)) return {};
  EvenSplit split(file_bytes, pieces);
  for (const RowGroup& group : metadata.groups) split.offer({group.begin(), group.first_row + 1});
  return split.points();
}

}  // namespace bertprep
