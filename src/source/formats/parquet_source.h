// ParquetSource: each row of a Parquet file is a document. Reads the columns of the text and of its origin alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "source/columns/column_reader.h"
#include "source/formats/row_columns.h"
#include "source/input/deferred_work.h"
#include "source/input/input_piece.h"
#include "source/input/input_texts.h"

namespace bertprep {

class ParquetSource final : public DeferredSource {
 public:
  // Of a part of a file, reads the row groups that begin there.
  ParquetSource(TextInput input, ColumnOptions options);

  // Documents are records (column_record.h). Throws FormatError: no such column, one without strings, damage, a file
  // within an archive; IoError.
  bool read(SourceDocument& document) override;

 private:
  void begin();
  bool read_row(SourceDocument& document);

  TextInput input_;
  ColumnOptions options_;
  bool is_open_ = false;
  std::vector<RowGroup> groups_;  // to read
  std::size_t group_ = 0;         // being read
  std::uint64_t group_byte_ = 0;  // where it begins
  std::uint64_t row_ = 0;         // the next, from 0
  RowColumns columns_;
  std::vector<std::unique_ptr<ColumnReader>> readers_;
  std::vector<ColumnValue> values_;  // of the row
};

// Where row groups begin, as even as they allow. Throws as read_parquet_metadata does.
std::vector<SplitPoint> split_parquet(const std::filesystem::path& file, std::uint64_t file_bytes,
                                      std::uint64_t pieces);

}  // namespace bertprep
