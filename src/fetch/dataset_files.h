// The parts of a dataset: downloaded, or taken from the user's files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "fetch/catalogue.h"
#include "fetch/dump.h"
#include "fetch/fetch_job.h"

namespace bertprep {

// For an entry with files. `from_file`: the user's file or folder; empty: download.
FetchedPart fetch_entry(const FetchJob& job, const CatalogueEntry& entry, const std::filesystem::path& folder,
                        const std::filesystem::path& from_file);

// For wikicorpus_LANG.
FetchedPart fetch_wiki(const FetchJob& job, const std::string& name, const std::filesystem::path& folder,
                       const std::filesystem::path& from_file);
// The dump that fetch_wiki would take.
Dump wiki_dump(const FetchJob& job, const std::string& name, const std::filesystem::path& state_folder);

// "en" of "wikicorpus_en"; empty for other names.
std::string language_of(const std::string& name);

// For cirrus_LANG: the search index of a Wikipedia.
FetchedPart fetch_cirrus(const FetchJob& job, const std::string& name, const std::filesystem::path& folder,
                         const std::filesystem::path& from_file);

// The listing that fetch_cirrus would take.
CatalogueListing cirrus_listing(const FetchJob& job, const std::string& name,
                                const std::filesystem::path& state_folder);

// "en" of "cirrus_en"; empty for other names.
std::string cirrus_language_of(const std::string& name);

// A list of books has one JSON object per line, whose key "txt" is the URL of a book's plain text (url_list.jsonl of
// the BookCorpus crawlers).
struct ListedBook {
  std::string name;  // 000012__a-book.txt: its line in the list, and the name in its URL
  std::string url;
};

// The books of the list that have a text. Throws FormatError (file and line).
std::vector<ListedBook> read_book_list(const std::filesystem::path& list);

// Downloads all of them and returns the folder. Reports unavailable books as skipped. Throws IoError if there are no
// books.
std::filesystem::path fetch_book_list(const FetchJob& job, const Place& place, const std::filesystem::path& list);

// The files of a dataset that is a folder on servers, found by its listing.

// Sorted by name, with the MD5 of NAME.md5 if it exists; of marked listings, with sizes. Throws IoError if no server
// lists any.
std::vector<CatalogueFile> ask_listing(const FetchJob& job, const CatalogueListing& listing);
// The same; the first result is kept until the hidden folder is removed, so that a broken download resumes with the
// same files.
std::vector<CatalogueFile> listed_files(const FetchJob& job, const CatalogueListing& listing, const Place& place);

// The user's files that match the listing. Throws IoError if there are none.
std::vector<std::filesystem::path> files_as_listed(const CatalogueListing& listing,
                                                   const std::filesystem::path& folder);

}  // namespace bertprep
