// Files that are in none of the formats read here, and what to do with them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "bertprep/base/error.h"
#include "bertprep/source/open_source.h"

namespace bertprep {

// XmlHead: what the first tag of a text says.
struct XmlHead {
  std::string format;  // "mediawiki", "wikiextractor", "pubmed", or empty for other XML and HTML
  std::string root;    // the name of the first element; may be empty
  bool is_html = false;
};

// Of a text that does not begin with blanks. Nothing where it begins as neither XML nor HTML does.
std::optional<XmlHead> xml_head_of(std::string_view text);

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
