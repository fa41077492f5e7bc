// The index of a multistream dump: which of its bzip2 streams, of 100 pages each, has a page.
//
//   OFFSET:PAGE_ID:TITLE        one line per page, in the order of the dump; OFFSET is that of the stream in the file
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "stream/bzip2_stream.h"
#include "wiki/dump/wanted_page.h"

namespace bertprep {

struct IndexedPage {
  Bzip2Range head;    // of the dump: its <siteinfo>, and the first pages
  Bzip2Range stream;  // with the page
  std::string id;
};

// Nothing if it is not found; `wanted` has the near titles then. Throws IoError, and FormatError with the invalid line.
std::optional<IndexedPage> find_in_index(const std::filesystem::path& index, WantedPage& wanted);

// The index next to a dump, under Wikimedia's name; empty if there is none.
std::filesystem::path index_beside(const std::filesystem::path& dump);

}  // namespace bertprep
