// What the name of a text says about its format. Its content must agree: a table with an odd header, or JSON with a
// comment on top, would become sentences.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "bertprep/source/open_source.h"

namespace bertprep {

// Named kXml, it may be in any format of XML.
enum class NamedKind { kNone, kJson, kCsv, kTsv, kXml, kParquet, kArrow, kSqlite };

// By the ending before that of a compressed file: "rows.CSV.gz" is kCsv, "rows.csv.txt" kNone.
NamedKind kind_by_name(std::string_view name);

// Throws FormatError if a text with this name can't be in the format that its content shows.
void require_agreement(NamedKind kind, InputFormat content, const std::string& name);

// Whether most of the first lines look like JSON objects or Python dicts.
bool has_json_lines(std::span<const std::string_view> lines);

// For JSON that does not begin as an object: says what its first line is.
[[noreturn]] void refuse_first_line(std::span<const std::string_view> lines, const std::string& name);

}  // namespace bertprep
