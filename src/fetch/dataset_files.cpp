#include "fetch/dataset_files.h"

#include <algorithm>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "fetch/download.h"
#include "fetch/dump_files.h"
#include "fetch/fetched_record.h"
#include "fetch/mirror_ring.h"
#include "fetch/pages.h"
#include "io/file_system.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "io/json.h"
#include "io/pending_file.h"
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

constexpr std::string_view kSumEnding = ".md5";

bool is_wanted(const CatalogueListing& listing, const std::string& name) {
  return !name.starts_with('.') && name.find('/') == std::string::npos && matches_any(name, listing.names);
}

// The digest in lines such as "MD5(NAME)= HEX" or "HEX  NAME".
std::string md5_in(const std::string& text) {
  constexpr std::size_t kDigits = 32;
  std::size_t count = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const bool is_hex = i < text.size() && std::string_view("0123456789abcdef").find(text[i]) != std::string_view::npos;
    if (!is_hex && count == kDigits) return text.substr(i - kDigits, kDigits);
    count = is_hex ? count + 1 : 0;
  }
  return {};
}

// The files of one folder; none if it can't be listed as a whole.
std::vector<CatalogueFile> files_in(const FetchJob& job, const CatalogueListing& listing, const std::string& folder,
                                    Pages& pages) {
  const auto page = pages.get(folder);
  if (!page || (listing.is_marked && !pages.size_of(folder + std::string(kCompleteMark)))) return {};
  std::vector<std::string> names = linked_names(*page);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<CatalogueFile> files;
  for (const std::string& name : names) {
    if (!is_wanted(listing, name)) continue;
    if (job.progress.cancelled()) throw Cancelled();
    CatalogueFile& file = files.emplace_back();
    file.name = name;
    for (const std::string& mirror : listing.folders) file.mirrors.push_back({mirror + name});
    if (listing.is_marked) file.facts.size_bytes = pages.size_of(folder + name).value_or(0);
    const std::string sum_name = name + std::string(kSumEnding);
    if (!std::ranges::binary_search(names, sum_name)) continue;
    file.facts.md5 = md5_in(pages.get(folder + sum_name).value_or(""));
    if (!file.facts.md5.empty()) continue;
    job.progress.note(folder + sum_name + " gives no MD5; the listing of this server is not used");
    return {};
  }
  return files;
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

std::vector<CatalogueFile> ask_listing(const FetchJob& job, const CatalogueListing& listing) {
  Pages pages(job.options, job.policy, job.progress);
  for (const std::string& folder : listing.folders) {
    if (!may_ask(folder, job.options)) continue;
    std::vector<CatalogueFile> files = files_in(job, listing, folder, pages);
    if (!files.empty()) return files;
  }
  throw_failed("no server lists the files " + listing.names, {}, "try again later, or give copies with `from_file`",
               pages.failed());
}

std::vector<CatalogueFile> listed_files(const FetchJob& job, const CatalogueListing& listing, const Place& place) {
  const fs::path saved = place.state / listing.saved_as;
  if (const auto list = read_file_if_any(saved)) return files_of(Json::parse(*list, saved));
  const auto may_be_asked = [&](const std::string& folder) { return may_ask(folder, job.options); };
  if (job.options.offline && std::ranges::none_of(listing.folders, may_be_asked)) job.throw_offline();
  place.make();
  const ProcessLock lock(place.state / "listing.lock", job.progress);
  if (const auto list = read_file_if_any(saved)) return files_of(Json::parse(*list, saved));
  const std::vector<CatalogueFile> files = ask_listing(job, listing);
  publish_bytes(saved, place.state, json_of(files).dump());
  return files;
}

std::vector<fs::path> files_as_listed(const CatalogueListing& listing, const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : list_folder(folder)) {
    if (entry.is_regular_file() && is_wanted(listing, entry.path().filename().string())) files.push_back(entry.path());
  }
  if (files.empty()) throw IoError("has no " + listing.names, folder, "give `from_file` a folder with such files");
  std::ranges::sort(files);
  return files;
}

}  // namespace bertprep
