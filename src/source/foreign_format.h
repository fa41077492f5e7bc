// Files that are in none of the formats read here, and what to do with them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "bertprep/base/error.h"
#include "bertprep/source/open_source.h"

namespace bertprep {

struct ForeignFormat {
  std::string what;  // "HTML: a page was saved instead of the text"
  std::string hint;
};

// By the first bytes: HTML, XML that is no dump of a wiki, PDF, Parquet, a pointer of Git LFS and others. `wanted` is
// what the user wants to read, "dump" or "text".
std::optional<ForeignFormat> foreign_format_of(std::string_view head, std::string_view wanted = "text");

// "this is HTML: …".
FormatError foreign_error(const ForeignFormat& format, const std::string& where);

// Throws FormatError for a head that can't be of `format`, whatever the name of the file says: for another format of
// XML, and for foreign ones. An article whose line closes an element may be about HTML.
void refuse_foreign(std::string_view head, InputFormat format, const std::string& where);

}  // namespace bertprep
