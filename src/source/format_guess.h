// guess_format: the format of a file from its first bytes, by the rules of resolve_format.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "bertprep/source/open_source.h"
#include "source/input/foreign_format.h"
#include "source/input/input_list.h"

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

// Examines the first text that is not blank. Throws FormatError if no format matches, IoError.
InputFormat guess_format(std::span<const Input> inputs);

// The same for bytes in memory. `may_be_book`: rule 6 applies. `is_truncated`: the file continues after `sample`.
// `name` is for the FormatError.
InputFormat guess_format_of(std::string_view sample, bool is_truncated, bool may_be_book, const std::string& name);

// What a text that begins so is instead of formatted text, and what to do; nothing if it may be formatted text.
std::optional<ForeignFormat> unformatted_kind(std::string_view sample);

}  // namespace bertprep
