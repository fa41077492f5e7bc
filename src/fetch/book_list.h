// A list of books, a JSON object a line, whose key "txt" is the URL of a book's plain text (url_list.jsonl of the
// BookCorpus crawlers).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "fetch/fetch_job.h"

namespace bertprep {

struct ListedBook {
  std::string name;  // 000012__a-book.txt: its line in the list, then the name in its URL
  std::string url;
};

// The books of the list that have a text. Throws FormatError (file and line).
std::vector<ListedBook> read_book_list(const std::filesystem::path& list);

// Downloads all of them and gives the folder. A book that can't be had is reported as skipped. Throws IoError when
// there is not a single one.
std::filesystem::path fetch_book_list(const FetchJob& job, const Place& place, const std::filesystem::path& list);

}  // namespace bertprep
