// guess_format: the format of a file from its first bytes, by the rules of resolve_format.
#pragma once

#include "source/input/foreign_format.h"
#include "source/input/input_list.h"

namespace bertprep {

struct FormatGuess {
  InputFormat format;
  bool is_plain = false;  // nothing but the look of the lines tells it
};

// Judges all texts. Throws FormatError if no format matches or two do, IoError.
FormatGuess guess_format(std::span<const Input> inputs);

// The same for bytes in memory. `may_be_book`: rule 8 applies. `is_truncated`: the file continues after `sample`.
// `name` is for the FormatError.
InputFormat guess_format_of(std::string_view sample, bool is_truncated, bool may_be_book, const std::string& name);

// What a text that begins so is instead of formatted text, and what to do; nothing if it may be formatted text.
std::optional<ForeignFormat> unformatted_kind(std::string_view sample);

// What the name of a text says about its format, kAuto if nothing. Its content must agree: a table with an odd header,
// or JSON with a comment on top, would become sentences. Named kMediawiki, it may be in any format of XML.
// By the ending before that of a compressed file: "rows.CSV.gz" is kCsv, "rows.csv.txt" kAuto.
InputFormat format_by_name(std::string_view name);

}  // namespace bertprep
