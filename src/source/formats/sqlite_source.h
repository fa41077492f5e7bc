// Each row that a query of an SQLite database gives is a document.
#pragma once

#include "source/input/record_source.h"

namespace bertprep {

// Reading throws FormatError: no database, one in UTF-16, one with changes in files beside it, a file within an
// archive, no such column, damage, with the number of the row; ConfigError: a query that can't be run, selects nothing,
// or would give other rows each time; IoError.
OpenText sqlite_reader(const SourceOptions& options, const CorpusReading& reading);

// Throws ConfigError that names the tables of the database.
[[noreturn]] void refuse_missing_query(const std::filesystem::path& file);

}  // namespace bertprep
