// The names of the files of a dump, and which of them contain the articles.
//
//   enwiki-20260701-pages-articles-multistream.xml.bz2         all articles; blocks that can be read independently
//   enwiki-20260701-pages-articles-multistream1.xml-p1p41242.bz2 ... the same in parts, by page id
//   enwiki-20260701-pages-articles.xml.bz2                     all articles in one stream
//   enwiki-20260701-pages-articles1.xml-p1p41242.bz2 ...       the same in parts
//   enwiki-2026-07-01-p1p41242.xml.bz2 ...                     content file exports: all namespaces, in parts
//   enwiki-2026-07-01-p41243r5r90.xml.bz2 ...                  the same of one huge page, by revision id
#pragma once

#include "fetch/catalogue.h"

namespace bertprep {

struct ChosenFiles {
  std::vector<CatalogueFile> articles{};  // in the order of their pages
  std::vector<CatalogueFile> indexes{};   // for multistream files
};

// The best files listed for `wiki` and `date` (as in the names: digits, "latest", or with dashes for content file
// exports): multistream before plain, one file before parts. If there are none, `articles` is empty. Parts with a gap
// between them don't count as a dump. Throws FormatError if content file exports are listed, but with a gap, an overlap
// or a name that is not understood: a part would be missing.
ChosenFiles choose_files(const std::vector<CatalogueFile>& listed, const std::string& wiki, const std::string& date);

}  // namespace bertprep
