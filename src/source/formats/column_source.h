// The formats of rows and columns: Parquet, Arrow, and what a query gives (sqlite_source.h). Each row is a document.
// RowColumns: which columns of a file make its articles.
#pragma once

#include <algorithm>

#include "source/columns/page_values.h"
#include "source/input/input_piece.h"
#include "source/input/record_source.h"

namespace bertprep {

// How all files of a corpus are read.
struct ColumnOptions {
  std::string text_field;                        // as in SourceOptions
  std::shared_ptr<const DeferredWork> deferred;  // makes articles of the records
  CorpusReading reading{};
  std::uint64_t max_expansion = kUsualExpansion;

  // A page or batch may have four times the bytes of an article, whose limit is a sixteenth of the memory.
  std::uint64_t max_page_bytes() const;
};

ColumnOptions column_options(const SourceOptions& options, const CorpusReading& reading);

class RowColumns {
 public:
  RowColumns() = default;
  // Throws FormatError naming the file: no such column, one without strings.
  RowColumns(const ColumnSchema& schema, const std::string& text_field, const std::string& file);

  // To be read, each once.
  std::span<const SchemaNode> columns() const { return columns_; }
  // Whether one of them is, or is part of, the text.
  bool is_text(std::size_t column) const { return std::ranges::find(texts_, Place(column)) != texts_.end(); }

  // Makes a record, for the deferred work, of a row: its values in the order of columns(). `document` must have its
  // origin. False: it is too long, and rejected.
  bool take(std::span<const ColumnValue> values, const ColumnOptions& options, SourceDocument& document) const;

 private:
  using Place = std::optional<std::size_t>;  // in columns_; nothing: the file lacks the column

  Place place_of_column(const std::optional<SchemaNode>& column);
  void find_text(const ColumnSchema& schema, const std::string& text_field);

  std::vector<SchemaNode> columns_;
  std::vector<Place> texts_;
  Place title_, id_, url_, timestamp_;
};

// Reading throws FormatError: no such column, one without strings, damage, with the number of the row group or batch, a
// Parquet file within an archive; IoError.
OpenText parquet_reader(const SourceOptions& options, const CorpusReading& reading);
OpenText arrow_reader(const SourceOptions& options, const CorpusReading& reading);

// Where row groups begin, as even as they allow. Throws as read_parquet_metadata does.
std::vector<SplitPoint> split_parquet(const std::filesystem::path& file, std::uint64_t file_bytes,
                                      std::uint64_t pieces);

// Where batches begin, as even as they allow; nowhere in a compressed file. Throws IoError.
std::vector<SplitPoint> split_arrow(const std::filesystem::path& file, std::uint64_t file_bytes, std::uint64_t pieces);

}  // namespace bertprep
