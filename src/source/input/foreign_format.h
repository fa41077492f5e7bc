// Files in formats that are not read here, and what to do with them.
#pragma once

#include "bertprep/base/error.h"
#include "bertprep/source/open_source.h"

namespace bertprep {

// XmlHead: the first tag of a text.
struct XmlHead {
  std::string format;  // "mediawiki", "wikiextractor", "pubmed", or empty for other XML and HTML
  std::string root;    // the name of the first element; may be empty
  bool is_html = false;
};

// For a text that does not begin with blanks. Nothing if it is neither XML nor HTML.
std::optional<XmlHead> xml_head_of(std::string_view text);

// "a dump of a wiki", if `head` has a format.
std::string kind_of(const XmlHead& head);

// Whether the first line of a text closes an element: an article may be about HTML.
bool is_closed_on_first_line(std::string_view text);

struct ForeignFormat {
  std::string what;  // "HTML: a page was saved instead of the text"
  std::string hint;
};

// By the first bytes: HTML, XML that is not a dump of a wiki, PDF, Parquet, a pointer of Git LFS and others. `wanted`
// is what the user wants, "dump" or "text".
std::optional<ForeignFormat> foreign_format_of(std::string_view head, std::string_view wanted = "text");

// Whether the first bytes are those of a Parquet file, or of an SQLite database.
bool begins_as_parquet(std::string_view head);
bool begins_as_sqlite(std::string_view head);

// By the name: PDF, HTML, a book or a file of an office, with the program that makes text of it.
std::optional<ForeignFormat> document_by_name(std::string_view name);

// For a text that does not begin with blanks: it begins with a tag of any name, and some tag is closed.
std::optional<ForeignFormat> markup_of(std::string_view text);

// UTF-16 or UTF-32, by their mark or, of UTF-16, by its blanks. Books are read in them, and dumps in UTF-16.
std::optional<ForeignFormat> wide_text_of(std::string_view head);

// "this is HTML: …".
FormatError foreign_error(const ForeignFormat& format, const std::string& where);

// Throws FormatError if the head can't be in `format`, whatever the name of the file: for other XML, foreign
// formats, and text in UTF-16, of which only dumps have a reader of their own.
void refuse_foreign(std::string_view head, InputFormat format, const std::string& where);

}  // namespace bertprep
