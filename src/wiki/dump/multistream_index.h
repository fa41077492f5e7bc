// The index of a multistream dump: which of its bzip2 streams, of 100 pages each, has a page.
//
//   OFFSET:PAGE_ID:TITLE        one line per page, in the order of the dump; OFFSET is that of the stream in the file
#pragma once

#include "stream/bzip2_stream.h"

namespace bertprep {

// WantedPage: the page that the user asks for, by its id or its title.
//
// Compares titles as MediaWiki does: '_' is a blank, and the case of the first letter does not count. Both titles may
// be escaped as in a dump. One thread at a time.
class WantedPage {
 public:
  explicit WantedPage(std::string_view title_or_id);

  // Whether this page is it; else its title is kept if it is near.
  bool is(std::string_view id, std::string_view title);

  // What to do if there is none: names titles that differ in case or in a few letters, or that begin with the wanted
  // one.
  std::string advice() const;

 private:
  std::string wanted_;
  std::string title_;
  std::vector<std::string> near_;  // the first few
};

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
