// guess_table: whether a text is a table, and which.
#pragma once

#include <optional>
#include <string_view>

#include "bertprep/source/open_source.h"

namespace bertprep {

// Tables as text: CSV and TSV.
struct TableGuess {
  InputFormat format;  // kCsv or kTsv
  bool has_names;      // the first record has the names of the columns
};

// Judges a text by its first bytes. It is a table if the first record has names of columns, or tabs separate the
// fields, and nine in ten of the other records have as many fields. Prose with commas is not a table: blanks follow
// them.
std::optional<TableGuess> guess_table(std::string_view sample, bool is_truncated);

}  // namespace bertprep
