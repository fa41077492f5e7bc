// The parts of a dataset: downloaded, or taken from what the user has.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "fetch/catalogue.h"
#include "fetch/dump.h"
#include "fetch/fetch_job.h"

namespace bertprep {

// Of an entry with files. `from_file`: the user's file or folder; empty: download.
FetchedPart fetch_entry(const FetchJob& job, const CatalogueEntry& entry, const std::filesystem::path& folder,
                        const std::filesystem::path& from_file);

// Of wikicorpus_LANG.
FetchedPart fetch_wiki(const FetchJob& job, const std::string& name, const std::filesystem::path& folder,
                       const std::filesystem::path& from_file);
// The dump that fetch_wiki would take.
Dump wiki_dump(const FetchJob& job, const std::string& name, const std::filesystem::path& state_folder);

// "en" of "wikicorpus_en"; empty for other names.
std::string language_of(const std::string& name);

// Of a list of books, a JSON object a line, whose key "txt" is the URL of a book's plain text (url_list.jsonl of the
// BookCorpus crawlers).
struct ListedBook {
  std::string name;  // 000012__a-book.txt: its line in the list, then the name in its URL
  std::string url;
};

// The books of the list that have a text. Throws FormatError (file and line).
std::vector<ListedBook> read_book_list(const std::filesystem::path& list);

// Downloads all of them and gives the folder. A book that can't be had is reported as skipped. Throws IoError when
// there is not a single one.
std::filesystem::path fetch_book_list(const FetchJob& job, const Place& place, const std::filesystem::path& list);

// The files of a dataset that is a folder on servers, as its listing names them.

// In the order of their names, with the MD5 of NAME.md5 where there is one. What was found first counts until the
// hidden folder is removed, so that a broken download resumes with the same files. Throws IoError when no server lists
// any.
std::vector<CatalogueFile> listed_files(const FetchJob& job, const CatalogueListing& listing, const Place& place);

// Those of the user's files that the listing would have. Throws IoError when there are none.
std::vector<std::filesystem::path> files_as_listed(const CatalogueListing& listing,
                                                   const std::filesystem::path& folder);

}  // namespace bertprep
