// SqliteSource: each row that a query of an SQLite database gives is a document.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "source/formats/row_columns.h"
#include "source/input/deferred_work.h"
#include "source/input/input_texts.h"

struct sqlite3;
struct sqlite3_stmt;

namespace bertprep {

struct SqliteClock;

class SqliteSource final : public DeferredSource {
 public:
  // `rejects` must outlive the object.
  SqliteSource(TextInput input, std::string query, ColumnOptions options, Rejects& rejects);
  ~SqliteSource() override;

  // Documents are records (column_record.h). Throws FormatError: no database, one in UTF-16, one with changes in files
  // beside it, a file within an archive, no such column, damage, with the number of the row; ConfigError: a query that
  // can't be run, selects nothing, or would give other rows each time; IoError.
  bool read(SourceDocument& document) override;

 private:
  void begin();
  bool take_row(SourceDocument& document);

  TextInput input_;
  std::string query_;
  ColumnOptions options_;
  Rejects& rejects_;
  std::unique_ptr<SqliteClock> clock_;  // of the database
  std::shared_ptr<sqlite3> database_;
  std::shared_ptr<sqlite3_stmt> rows_;  // of the database: ends first
  std::uint64_t row_ = 0;
  RowColumns columns_;
  std::vector<ColumnValue> values_;  // of the row
};

// Throws ConfigError that names the tables of the database.
[[noreturn]] void refuse_missing_query(const std::filesystem::path& file);

}  // namespace bertprep
