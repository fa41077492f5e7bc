// RowColumns: which columns of a file make its articles.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/task_runner.h"
#include "source/columns/column_schema.h"
#include "source/columns/page_values.h"
#include "source/input/article_limit.h"
#include "source/input/deferred_work.h"
#include "stream/open_stream.h"

namespace bertprep {

// How all files of a corpus are read.
struct ColumnOptions {
  std::string text_field;                        // as in SourceOptions
  std::shared_ptr<const DeferredWork> deferred;  // of make_deferred_columns
  ArticleLimit limit{};
  TaskRunner runner{};
  std::uint64_t max_expansion = kUsualExpansion;

  // A page or batch may have four times the bytes of an article, whose limit is a sixteenth of the memory.
  std::uint64_t max_page_bytes() const;
};

class RowColumns {
 public:
  RowColumns() = default;
  // Throws FormatError naming the file: no such column, one without strings.
  RowColumns(const ColumnSchema& schema, const std::string& text_field, const std::string& file);

  // To be read, each once.
  std::span<const SchemaColumn> columns() const { return columns_; }
  // Whether one of them is, or is part of, the text.
  bool is_text(std::size_t column) const { return std::ranges::find(texts_, Place(column)) != texts_.end(); }

  // Makes a record (column_record.h) of a row: its values in the order of columns(). `document` must have its origin.
  // False: it is too long, and rejected.
  bool take(std::span<const ColumnValue> values, const ColumnOptions& options, SourceDocument& document) const;

 private:
  using Place = std::optional<std::size_t>;  // in columns_; nothing: the file lacks the column

  Place place_of_column(const std::optional<SchemaColumn>& column);
  void find_text(const ColumnSchema& schema, const std::string& text_field);

  std::vector<SchemaColumn> columns_;
  std::vector<Place> texts_;
  Place title_, id_, url_, timestamp_;
};

}  // namespace bertprep
