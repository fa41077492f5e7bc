// Tables as text: CSV and TSV.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bertprep {

struct TableGuess {
  std::string kind;     // "CSV" or "TSV"
  std::string columns;  // the names in its first line, the first few
};

// Of a text by its first bytes. It is a table when its records, of which there are two or more, have the same number of
// fields, and the first one holds names of columns or the fields are parted by tabs. Prose is none, whatever commas it
// has: blanks follow them.
std::optional<TableGuess> guess_table(std::string_view sample, bool is_cut);

}  // namespace bertprep
