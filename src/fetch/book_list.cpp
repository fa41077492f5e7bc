#include "base/number_text.h"
#include "fetch/dataset_files.h"

#include <algorithm>

#include "bertprep/base/error.h"
#include "fetch/download.h"
#include "fetch/mirror_ring.h"
#include "io/json.h"
#include "stream/line_reader.h"
#include "stream/open_stream.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

std::string name_of(const std::string& url, std::uint64_t line) {
  const std::string path = path_of(url);
  std::string name = path.substr(path.rfind('/') + 1);
  if (!name.ends_with(".txt")) name += ".txt";
  return padded_number(line, 6) + "__" + name;
}

}  // namespace

std::vector<ListedBook> read_book_list(const fs::path& list) {
  std::vector<ListedBook> books;
  LineReader lines(list, open_stream(list));
  std::string_view line;
  while (lines.next(line)) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const Json book = Json::parse(line, list.string() + ":" + std::to_string(lines.line_number()));
    const Json* url = book.find("txt");
    if (url == nullptr || url->kind() != Json::Kind::String || url->text().empty()) continue;
    books.push_back({name_of(url->text(), lines.line_number()), url->text()});
  }
  return books;
}

fs::path fetch_book_list(const FetchJob& job, const Place& place, const fs::path& list) {
  const fs::path folder = place.folder / "books";
  fs::create_directories(folder);
  const std::vector<ListedBook> books = read_book_list(list);
  std::vector<DownloadTask> tasks;
  for (const ListedBook& book : books) {
    if (fs::is_regular_file(folder / book.name)) continue;
    CatalogueFile file;
    file.name = book.name;
    file.mirrors = {{book.url}};
    DownloadTask task{folder / book.name, place.state, {}, {}, false};
    for (const Mirror& mirror : mirrors_of(file, job.options)) task.urls.push_back(mirror.url);
    if (job.options.offline && task.urls.empty()) job.throw_offline();
    tasks.push_back(std::move(task));
  }
  download_each(tasks, job.options, job.policy, job.progress);
  const auto is_present = [&](const ListedBook& book) { return fs::is_regular_file(folder / book.name); };
  if (std::ranges::any_of(books, is_present)) return folder;
  throw IoError(books.empty() ? "lists no book with a key 'txt'" : "none of its books could be fetched", list);
}

}  // namespace bertprep
