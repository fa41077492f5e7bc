#include "fetch/wikimedia.h"

#include <algorithm>

#include "base/number_text.h"
#include "fetch/dataset_files.h"
#include "fetch/pages.h"
#include "io/folder.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDump = "wikicorpus_";
constexpr std::string_view kIndex = "cirrus_";
constexpr const char* kLatest = "latest";
constexpr const char* kIndexFolder = "/other/cirrus_search_index/";
constexpr const char* kAdvice = "check the addresses, or give another one with `mirror`, or a copy with `from_file`";

// Looked at, the newest first, for one that is complete: some four are kept. Older ones are too old to be the latest.
constexpr std::size_t kMaxDates = 6;

// 20260816
bool is_date(std::string_view name) {
  return name.size() == 8 && is_ascii_digits(name);
}

// 2026-08-16
bool is_dashed_date(std::string_view text) {
  return text.size() == 10 && text[4] == '-' && text[7] == '-' && is_ascii_digits(text.substr(0, 4)) &&
         is_ascii_digits(text.substr(5, 2)) && is_ascii_digits(text.substr(8, 2));
}

std::string without_dashes(std::string date) {
  std::erase(date, '-');
  return date;
}

std::string with_dashes(const std::string& date) {
  return date.substr(0, 4) + "-" + date.substr(4, 2) + "-" + date.substr(6, 2);
}

bool is_index(const std::string& name) {
  return name.starts_with(kIndex);
}

std::string wiki_of(const std::string& name) {
  return wiki_of_language(name.substr(is_index(name) ? kIndex.size() : kDump.size()));
}

// The servers: of each `mirror`, itself and a folder named after Wikimedia's host; then the catalogue's.
std::vector<std::string> roots_of(const FetchJob& job) {
  const std::vector<std::string>& known = job.catalogue.dumps.roots;
  std::vector<std::string> roots;
  for (const std::string& base : mirror_bases(job.options)) {
    roots.push_back(base);
    if (!known.empty()) roots.push_back(base + "/" + host_of(known.front()));
  }
  roots.insert(roots.end(), known.begin(), known.end());
  return roots;
}

// FetchOptions::dump_date or, for `latest`, the newest date of which an earlier call saved a list, PREFIX-DATE.json: it
// stays the latest, so that a broken download resumes with the same files and finished work stays valid.
std::string wanted_date(const FetchJob& job, const fs::path& state_folder, const std::string& prefix) {
  constexpr std::string_view kEnding = ".json";
  const std::string& date = job.options.dump_date;
  if (is_date(date)) return date;
  if (date != kLatest) {
    throw ConfigError("`dump_date`: '" + date + "' is not a valid date", {}, "write it like 20260701, or latest");
  }
  std::string newest;
  for (const std::string& name : names_in_folder_if_any(state_folder)) {
    if (!name.starts_with(prefix) || !name.ends_with(kEnding)) continue;
    newest = std::max(newest, name.substr(prefix.size(), name.size() - prefix.size() - kEnding.size()));
  }
  return newest.empty() ? date : newest;
}

// The names that a page links to and that are dates, the newest first.
std::vector<std::string> dates_in(const std::string& folder, bool (*is_one)(std::string_view), Pages& pages) {
  std::vector<std::string> dates;
  if (const auto page = pages.get({folder})) {
    std::ranges::copy_if(linked_names(*page), std::back_inserter(dates), is_one);
  }
  std::ranges::sort(dates, std::greater<>());
  return dates;
}

struct Dump {
  std::string date;    // "20260701"; "latest" if no server says which one that is
  std::string folder;  // below the root
  ChosenFiles files;
};

// A folder that may have a dump.
struct DumpPlace {
  std::string folder;
  std::string date;
  std::string named_date;           // as the names of its files have it
  std::vector<Listing> listings{};  // the first with the dump counts; a status excludes the others

  bool is_export() const { return date != named_date; }
};

// Of an older dump, or any server's without a status.
std::vector<Listing> plain_listings(const std::string& wiki, const std::string& date) {
  const std::string stem = wiki + "-" + date;
  return {{Listing::Form::kSums, {stem + "-sha1sums.txt", stem + "-md5sums.txt"}},
          {Listing::Form::kNames, {stem + "-pages-articles-multistream.xml.bz2", stem + "-pages-articles.xml.bz2"}}};
}

DumpPlace dump_place(const std::string& wiki, const std::string& date) {
  DumpPlace place{"/" + wiki + "/" + date + "/", date, date, plain_listings(wiki, date)};
  place.listings.insert(place.listings.begin(), Listing{Listing::Form::kStatus, {"dumpstatus.json"}});
  return place;
}

DumpPlace undated_place(const std::string& wiki) {
  return {"/" + wiki + "/latest/", kLatest, kLatest, {plain_listings(wiki, kLatest).back()}};
}

DumpPlace export_place(const std::string& wiki, const std::string& dashed_date) {
  return {"/other/mediawiki_content_current/" + wiki + "/" + dashed_date + "/xml/bzip2/",
          without_dashes(dashed_date),
          dashed_date,
          {{Listing::Form::kSums, {"SHA256SUMS"}, {}, true}}};
}

// The dumps of a wiki on one server.
class DumpServer {
 public:
  DumpServer(const FetchJob& job, std::string root, std::string wiki, Pages& pages)
      : job_(job), root_(std::move(root)), wiki_(std::move(wiki)), pages_(pages) {}

  // The newest complete dump, an export if it is newer; nothing if there is none or the server can't be reached.
  std::optional<Dump> find_latest() {
    std::vector<DumpPlace> places;
    for (const std::string& date : known_dates()) places.push_back(dump_place(wiki_, date));
    if (is_unreachable_) return std::nullopt;
    for (const std::string& date :
         dates_in(root_ + "/other/mediawiki_content_current/" + wiki_ + "/", is_dashed_date, pages_)) {
      places.push_back(export_place(wiki_, date));
    }
    std::ranges::stable_sort(places, std::greater<>(), &DumpPlace::date);
    places.resize(std::min(places.size(), kMaxDates));
    for (const DumpPlace& place : places) {
      auto dump = find(place);
      if (is_unreachable_) return std::nullopt;
      const std::string lacking = dump ? lack_of(*dump) : "";
      if (dump && lacking.empty()) return dump;
      job_.progress.note((place.is_export() ? "the export of " : "the dump of ") + wiki_ + " of " + place.named_date +
                         (dump ? " lacks " + lacking + ", which no server has" : " is not complete yet") +
                         "; the one before it is looked for");
    }
    return find(undated_place(wiki_));
  }

  std::optional<Dump> find(const std::string& date) {
    if (auto dump = find(dump_place(wiki_, date)); dump || is_unreachable_) return dump;
    if (is_incomplete_) job_.progress.note("the dump of " + wiki_ + " of " + date + " is not complete yet");
    return find(export_place(wiki_, with_dashes(date)));
  }

  // On a server with the files of one dump in the root itself, as on archive.org.
  std::optional<Dump> find_flat(const std::string& date) {
    return find({"/", date, date, plain_listings(wiki_, date)});
  }

  // Newest first; asks the server for them.
  const std::vector<std::string>& known_dates() {
    if (!dates_) dates_ = list_dates();
    return *dates_;
  }

 private:
  std::optional<Dump> find(const DumpPlace& place) {
    for (const Listing& listing : place.listings) {
      is_incomplete_ = listing.form == Listing::Form::kStatus;
      try {
        const auto listed = pages_.list(root_ + place.folder, listing);
        is_unreachable_ = !listed && pages_.was_unreachable();
        if (is_unreachable_) return std::nullopt;
        if (!listed) continue;
        Dump dump{place.date, place.folder, choose_files(*listed, wiki_, place.named_date)};
        if (!dump.files.articles.empty()) return dump;
      } catch (const FormatError& error) {
        job_.progress.note(root_ + place.folder + error.what());
      }
      if (is_incomplete_) return std::nullopt;
    }
    return std::nullopt;
  }

  std::vector<std::string> list_dates() {
    std::vector<std::string> dates = dates_in(root_ + "/" + wiki_ + "/", is_date, pages_);
    is_unreachable_ = pages_.was_unreachable();
    if (!dates.empty() || is_unreachable_) return dates;
    // On a server without listings, the digests of `latest` name dated files.
    const auto files =
        pages_.list(root_ + "/" + wiki_ + "/latest/", {Listing::Form::kSums, {wiki_ + "-latest-sha1sums.txt"}});
    for (const CatalogueFile& file : files.value_or(std::vector<CatalogueFile>())) {
      if (!file.name.starts_with(wiki_ + "-")) continue;
      const std::string date = file.name.substr(wiki_.size() + 1, 8);
      if (is_date(date) && std::ranges::find(dates, date) == dates.end()) dates.push_back(date);
    }
    std::ranges::sort(dates, std::greater<>());
    return dates;
  }

  // Names a file of the dump that every server which answers lacks; empty if there is none. A mirror may list a dump
  // long before it has its files, or without ever having them. Learns sizes that no list gives.
  std::string lack_of(Dump& dump) {
    if (asked_.empty()) {
      asked_ = {root_};
      std::ranges::copy_if(roots_of(job_), std::back_inserter(asked_),
                           [&](const std::string& root) { return root != root_ && may_ask(root, job_.options); });
    }
    for (auto* files : {&dump.files.articles, &dump.files.indexes}) {
      for (CatalogueFile& file : *files) {
        if (!is_there(dump.folder + file.name, file)) return file.name;
      }
    }
    return {};
  }

  // Also true if no server says that it is not.
  bool is_there(const std::string& path, CatalogueFile& file) {
    bool is_denied = false;
    for (std::string& root : asked_) {
      if (root.empty()) continue;
      if (const auto size = pages_.size_of(root + path)) {
        if (file.facts.size_bytes == 0) file.facts.size_bytes = *size;
        return true;
      }
      const bool is_gone = pages_.failed().back().trouble == Trouble::kGone || root.starts_with("file://");
      is_denied = is_denied || is_gone;
      if (!is_gone) root.clear();  // asking it for each file would take long
    }
    return !is_denied;
  }

  const FetchJob& job_;
  std::string root_;
  std::string wiki_;
  Pages& pages_;
  std::vector<std::string> asked_{};  // the servers that answer, this one first
  std::optional<std::vector<std::string>> dates_{};
  bool is_unreachable_ = false;
  bool is_incomplete_ = false;  // the last status is not of a complete dump
};

// Adds the catalogue's facts about single dumps, and the file's place on every server, first on the one that lists it.
void complete(const FetchJob& job, const Dump& dump, const std::string& wiki, const std::string& listing_root,
              std::vector<CatalogueFile>& files) {
  const DumpCatalogue& catalogue = job.catalogue.dumps;
  for (CatalogueFile& file : files) {
    for (const CatalogueFile& known : catalogue.files) {
      if (known.name == file.name) file.facts.complete_by(known.facts);
    }
    file.mirrors.push_back({listing_root + dump.folder + file.name});
    for (const std::string& root : roots_of(job)) {
      if (root != listing_root) file.mirrors.push_back({root + dump.folder + file.name});
    }
    if (!is_date(dump.date)) continue;
    for (const std::string& archive : catalogue.archives) {
      file.mirrors.push_back({archive + "/" + wiki + "-" + dump.date + "/" + file.name});
    }
  }
}

Dump find_dump(const FetchJob& job, const std::string& wiki, const std::string& date) {
  Pages pages(job.options, job.policy, job.progress);
  std::vector<std::string> dates;
  const auto completed = [&](Dump dump, const std::string& root) {
    for (auto* files : {&dump.files.articles, &dump.files.indexes}) complete(job, dump, wiki, root, *files);
    return dump;
  };
  for (const std::string& root : roots_of(job)) {
    if (!may_ask(root, job.options)) continue;
    DumpServer server(job, root, wiki, pages);
    if (const auto dump = date == kLatest ? server.find_latest() : server.find(date)) return completed(*dump, root);
    for (const std::string& known : server.known_dates()) {
      if (std::ranges::find(dates, known) == dates.end()) dates.push_back(known);
    }
  }
  for (const std::string& archive : job.catalogue.dumps.archives) {
    if (date == kLatest || !may_ask(archive, job.options)) continue;
    const std::string root = archive + "/" + wiki + "-" + date;
    if (const auto dump = DumpServer(job, root, wiki, pages).find_flat(date)) return completed(*dump, root);
  }
  std::ranges::sort(dates, std::greater<>());
  throw_failed("no complete dump of " + wiki + " of " + date + " was found", {},
               dates.empty() ? kAdvice : "there are dumps of " + joined(dates) + " (`dump_date`)", pages.failed());
}

// The articles among the user's files: those with names of a dump, of the newest date, else all XML files.
std::vector<fs::path> articles_in(const fs::path& folder, const std::string& wiki) {
  std::vector<CatalogueFile> listed;
  std::vector<std::string> dates;
  for (const auto& entry : list_folder(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string name = entry.path().filename().string();
    listed.push_back({name});
    if (!name.starts_with(wiki + "-")) continue;
    const std::string rest = name.substr(wiki.size() + 1);
    const std::string date = rest.substr(0, rest.starts_with("20") && rest.find('-') == 4 ? 10 : rest.find('-'));
    if (std::ranges::find(dates, date) == dates.end()) dates.push_back(date);
  }
  std::ranges::sort(dates, std::greater<>());
  std::vector<fs::path> articles;
  for (const std::string& date : dates) {
    for (const CatalogueFile& file : choose_files(listed, wiki, date).articles) articles.push_back(folder / file.name);
    if (!articles.empty()) return articles;
  }
  for (const CatalogueFile& file : listed) {
    if (file.name.find(".xml") != std::string::npos) articles.push_back(folder / file.name);
  }
  return articles;
}

FetchedPart take_dump(const FetchJob& job, const Place& place, const std::string& wiki, const fs::path& from_file) {
  if (!fs::exists(from_file)) throw IoError("does not exist", from_file, "give `from_file` a file or folder");
  place.make();
  FetchedPart part{"mediawiki", {from_file}};
  if (fs::is_directory(from_file)) part.files = articles_in(from_file, wiki);
  if (part.files.empty()) throw IoError("has no dump of " + wiki, from_file, "the name of a dump contains .xml");
  for (const fs::path& path : part.files) {
    CatalogueFile file{path.filename().string()};
    const auto known = std::ranges::find(job.catalogue.dumps.files, file.name, &CatalogueFile::name);
    if (known != job.catalogue.dumps.files.end()) file.facts = known->facts;
    check_local_file(job, place, file, path);
  }
  return part;
}

FetchedPart fetch_dump(const FetchJob& job, const std::string& name, const Place& place) {
  const std::string prefix = "dump-";
  const std::string wiki = wiki_of(name);
  const Json dump = kept_listing(
      job, place, roots_of(job), [&] { return prefix + wanted_date(job, place.state, prefix) + ".json"; },
      [&] {
        const Dump found = find_dump(job, wiki, job.options.dump_date);
        return SavedListing{prefix + found.date + ".json", Json::object({{"wiki", wiki},
                                                                         {"date", found.date},
                                                                         {"articles", json_of(found.files.articles)},
                                                                         {"indexes", json_of(found.files.indexes)}})};
      });
  std::vector<CatalogueFile> files = files_of(dump.at("articles"));
  FetchedPart part{"mediawiki", {}};
  for (const CatalogueFile& file : files) part.files.push_back(place.folder / file.name);
  for (const CatalogueFile& file : files_of(dump.at("indexes"))) files.push_back(file);
  for (const CatalogueFile& file : files) part.downloads.push_back(place.folder / file.name);
  job.progress.note(name + " is the dump of " + dump.at("date").text() + ", " + counted(files.size(), "file"));
  fetch_files(job, place, files);
  return part;
}

std::string index_folder(const std::string& root, const std::string& date, const std::string& wiki) {
  return root + kIndexFolder + date + "/index_name=" + wiki + "_content/";
}

std::string latest_index(const FetchJob& job, const std::string& wiki) {
  Pages pages(job.options, job.policy, job.progress);
  for (const std::string& root : roots_of(job)) {
    if (!may_ask(root, job.options)) continue;
    std::vector<std::string> dates = dates_in(root + kIndexFolder, is_date, pages);
    dates.resize(std::min(dates.size(), kMaxDates));
    for (const std::string& date : dates) {
      if (pages.size_of(index_folder(root, date, wiki) + kCompleteMark)) return date;
      job.progress.note("the search index of " + wiki + " of " + date + " is not complete");
    }
  }
  throw_failed("no complete search index of " + wiki + " was found", {}, kAdvice, pages.failed());
}

// The index as an entry of a catalogue; without folders if the user has it.
CatalogueEntry index_entry(const FetchJob& job, const std::string& name, const fs::path& state_folder, bool is_local) {
  const std::string wiki = wiki_of(name);
  CatalogueEntry entry;
  entry.name = name;
  entry.format = "cirrus";
  entry.listing = {Listing::Form::kLinks, {""}, wiki + "_content-*.json*", true};
  if (is_local) return entry;
  std::string date = wanted_date(job, state_folder, "index-");
  if (date == kLatest) job.require_any(roots_of(job));
  if (date == kLatest) date = latest_index(job, wiki);
  for (const std::string& root : roots_of(job)) entry.folders.push_back(index_folder(root, date, wiki));
  entry.listed_as = "index-" + date + ".json";
  job.progress.note(name + " is the search index of " + date);
  return entry;
}

DatasetFacts facts_of_index(const std::string& name, const DumpCatalogue& catalogue) {
  return {name, "Wikipedia in the language LANG, its pages as text, from the search index", catalogue.licence};
}

}  // namespace

bool is_of_wikimedia(const std::string& name) {
  return (name.starts_with(kDump) && name.size() > kDump.size()) || (is_index(name) && name.size() > kIndex.size());
}

std::string wiki_of_language(const std::string& language) {
  const bool plain = language.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_") == std::string::npos;
  if (language.empty() || !plain || language.front() == '-' || language.front() == '_') {
    throw ConfigError("'" + language + "' does not name a language", {}, "use its code, as in wikicorpus_en");
  }
  if (language == "be-tarask" || language == "be_tarask") return "be_x_oldwiki";
  std::string wiki = language + "wiki";
  std::ranges::replace(wiki, '-', '_');
  return wiki;
}

FetchedPart fetch_wikimedia(const FetchJob& job, const std::string& name, const fs::path& folder,
                            const fs::path& from_file) {
  const Place place(folder, name);
  if (is_index(name)) {
    return fetch_entry(job, index_entry(job, name, place.state, !from_file.empty()), folder, from_file);
  }
  return from_file.empty() ? fetch_dump(job, name, place) : take_dump(job, place, wiki_of(name), from_file);
}

std::vector<DatasetFacts> known_of_wikimedia(const DumpCatalogue& catalogue) {
  return {{"wikicorpus_LANG", catalogue.title, catalogue.licence}, facts_of_index("cirrus_LANG", catalogue)};
}

DatasetFacts describe_wikimedia(const FetchJob& job, const std::string& name) {
  const DumpCatalogue& catalogue = job.catalogue.dumps;
  if (is_index(name)) {
    DatasetFacts facts = facts_of_index(name, catalogue);
    const auto files = ask_listing(job, index_entry(job, name, {}, false));
    if (std::ranges::count(files, 0U, [](const CatalogueFile& file) { return file.facts.size_bytes; }) != 0)
      return facts;
    for (const CatalogueFile& file : files) facts.download_bytes += file.facts.size_bytes;
    // With its markup and links, the index of 98 English articles is 1.6 times as large as their dump, compressed.
    facts.text_bytes = static_cast<std::uint64_t>(static_cast<double>(facts.download_bytes) / 1.6);
    return facts;
  }
  job.require_any(roots_of(job));
  const Dump dump = find_dump(job, wiki_of(name), wanted_date(job, {}, {}));
  DatasetFacts facts{name, catalogue.title + ": the dump of " + dump.date, catalogue.licence};
  Pages pages(job.options, job.policy, job.progress);
  // Compressed markup and the text in it have about the same size: 16.99 and 17.07 GiB for English in May 2020.
  for (const CatalogueFile& file : dump.files.articles) facts.text_bytes += ask_size(job, file, pages);
  facts.download_bytes = facts.text_bytes;
  for (const CatalogueFile& file : dump.files.indexes) facts.download_bytes += ask_size(job, file, pages);
  return facts;
}

}  // namespace bertprep
