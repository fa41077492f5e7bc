// The index of a multistream dump: which of its bzip2 streams, of 100 pages each, has a page.
//
//   OFFSET:PAGE_ID:TITLE        one line per page, in the order of the dump; OFFSET is that of the stream in the file
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "stream/bzip2_stream.h"

namespace bertprep {

struct IndexedPage {
  Bzip2Range head;    // of the dump: its <siteinfo>, and the first pages
  Bzip2Range stream;  // with the page
  std::string id;
};

// `wanted` is an id or a title, escaped as in the index or not. Nothing if it is not found. Throws IoError, and
// FormatError with the invalid line.
std::optional<IndexedPage> find_in_index(const std::filesystem::path& index, const std::string& wanted);

// The index next to a dump, under Wikimedia's name; empty if there is none.
std::filesystem::path index_beside(const std::filesystem::path& dump);

// "A & B" as in a dump: "A &amp; B".
std::string escape_title(const std::string& title);

}  // namespace bertprep
