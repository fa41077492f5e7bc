// The parts of a dataset: downloaded, or taken from the user's files.
#pragma once

#include "fetch/fetch_job.h"

namespace bertprep {

// For an entry with files or folders. `from_file`: the user's file or folder; empty: download.
FetchedPart fetch_entry(const FetchJob& job, const CatalogueEntry& entry, const std::filesystem::path& folder,
                        const std::filesystem::path& from_file);

// The files in the folders of an entry, sorted by name, from the first server that lists any. Throws as throw_failed.
std::vector<CatalogueFile> ask_listing(const FetchJob& job, const CatalogueEntry& entry);

// The books that have a text, of a list that has one JSON object per line, whose key "txt" is the URL of a book's plain
// text (url_list.jsonl of the BookCorpus crawlers). A book is called after its line and its URL: 000012__a-book.txt.
// Throws FormatError (file and line).
std::vector<CatalogueFile> read_book_list(const std::filesystem::path& list);

}  // namespace bertprep
