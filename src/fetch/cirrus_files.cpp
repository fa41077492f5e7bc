// fetch_cirrus: Wikimedia's search index of a Wikipedia. Below a server's root:
//
//   other/cirrus_search_index/20260816/index_name=enwiki_content/enwiki_content-20260816-00000.json.bz2 ...
//                                                                _SUCCESS: all of them are there
#include <algorithm>

#include "bertprep/base/error.h"
#include "fetch/dataset_files.h"
#include "fetch/mirror_ring.h"
#include "fetch/pages.h"
#include "io/folder.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCirrusPrefix = "cirrus_";
constexpr std::string_view kFolder = "/other/cirrus_search_index/";
constexpr std::string_view kSavedPrefix = "index-";
constexpr std::string_view kSavedEnding = ".json";
std::string folder_of(const std::string& root, const std::string& date, const std::string& wiki) {
  return root + std::string(kFolder) + date + "/index_name=" + wiki + "_content/";
}

std::string names_of(const std::string& wiki) {
  return wiki + "_content-*.json*";
}

// As for dumps: what an earlier call found stays the latest.
std::string date_before(const fs::path& state_folder) {
  std::string newest;
  for (const auto& entry : list_folder_if_any(state_folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kSavedPrefix) || !name.ends_with(kSavedEnding)) continue;
    const std::string date = name.substr(kSavedPrefix.size(), name.size() - kSavedPrefix.size() - kSavedEnding.size());
    if (is_dump_date(date)) newest = std::max(newest, date);
  }
  return newest;
}

std::string latest_date(const FetchJob& job, const std::string& wiki, const std::vector<std::string>& roots) {
  Pages pages(job.options, job.policy, job.progress);
  for (const std::string& root : roots) {
    if (!may_ask(root, job.options)) continue;
    const auto page = pages.get(root + std::string(kFolder));
    if (!page) continue;
    std::vector<std::string> dates;
    std::ranges::copy_if(linked_names(*page), std::back_inserter(dates), is_dump_date);
    std::ranges::sort(dates, std::greater<>());
    dates.resize(std::min(dates.size(), kMaxDates));
    for (const std::string& date : dates) {
      if (pages.size_of(folder_of(root, date, wiki) + std::string(kCompleteMark))) return date;
      job.progress.note("the search index of " + wiki + " of " + date + " is not complete");
    }
  }
  throw_failed("no complete search index of " + wiki + " was found", {},
               "check the addresses, or give another one with `mirror`, or a copy with `from_file`", pages.failed());
}

}  // namespace

std::string cirrus_language_of(const std::string& name) {
  return name.starts_with(kCirrusPrefix) ? name.substr(kCirrusPrefix.size()) : "";
}

CatalogueListing cirrus_listing(const FetchJob& job, const std::string& name, const fs::path& state_folder) {
  const std::string wiki = wiki_of_language(cirrus_language_of(name));
  const std::vector<std::string> roots = roots_of(job.catalogue.dumps, job.options);
  std::string date = job.options.dump_date;
  if (date == "latest") date = date_before(state_folder);
  if (date.empty()) {
    if (job.options.offline &&
        std::ranges::none_of(roots, [&](const auto& root) { return may_ask(root, job.options); }))
      job.throw_offline();
    date = latest_date(job, wiki, roots);
  }
  if (!is_dump_date(date)) {
    throw ConfigError("`dump_date`: '" + date + "' is not a valid date", {}, "write it like 20260816, or latest");
  }
  CatalogueListing listing;
  listing.names = names_of(wiki);
  for (const std::string& root : roots) listing.folders.push_back(folder_of(root, date, wiki));
  listing.saved_as = std::string(kSavedPrefix) + date + std::string(kSavedEnding);
  listing.is_marked = true;
  job.progress.note(name + " is the search index of " + date);
  return listing;
}

FetchedPart fetch_cirrus(const FetchJob& job, const std::string& name, const fs::path& folder,
                         const fs::path& from_file) {
  CatalogueEntry entry;
  entry.name = name;
  entry.format = "cirrus";
  entry.listing.names = names_of(wiki_of_language(cirrus_language_of(name)));
  if (from_file.empty()) entry.listing = cirrus_listing(job, name, Place(folder, name).state);
  return fetch_entry(job, entry, folder, from_file);
}

}  // namespace bertprep
