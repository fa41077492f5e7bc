// The names of the files of a dump, and which of them contain the articles.
//
//   enwiki-20260701-pages-articles-multistream.xml.bz2         all articles; blocks that can be read independently
//   enwiki-20260701-pages-articles-multistream1.xml-p1p41242.bz2 ... the same in parts, by page id
//   enwiki-20260701-pages-articles.xml.bz2                     all articles in one stream
//   enwiki-20260701-pages-articles1.xml-p1p41242.bz2 ...       the same in parts
//   enwiki-2026-07-01-p1p41242.xml.bz2 ...                     content file exports: all namespaces, in parts
//   enwiki-2026-07-01-p41243r5r90.xml.bz2 ...                  the same of one huge page, by revision id
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "fetch/catalogue.h"

namespace bertprep {

// A file that a server lists, with what the list says about it.
using ListedFiles = std::vector<CatalogueFile>;

struct ChosenFiles {
  std::vector<CatalogueFile> articles;  // in the order of their pages
  std::vector<CatalogueFile> indexes;   // for multistream files
};

// The best files listed for `wiki` and `date` (as in the names: digits, "latest", or with dashes for content file
// exports): multistream before plain, one file before parts. If there are none, `articles` is empty. Parts with a gap
// between them don't count as a dump. Throws FormatError if content file exports are listed, but with a gap, an overlap
// or a name that is not understood: a part would be missing.
ChosenFiles choose_files(const ListedFiles& listed, const std::string& wiki, const std::string& date);

// Reads lines "HEX  NAME" or "HEX *NAME" of sha256sum and the like; the length of HEX tells the kind. Skips other
// lines. Adds to files of the same name, else at the end.
void add_sums(const std::string& text, ListedFiles& files);

// The names that the links of a folder's HTML listing lead to, without a slash at the end.
std::vector<std::string> linked_names(const std::string& html);

// Of a folder of dumps: 20260816.
bool is_dump_date(std::string_view name);
// Looked at, the newest first, for one that is complete: some four are kept.
inline constexpr std::size_t kMaxDates = 6;

}  // namespace bertprep
