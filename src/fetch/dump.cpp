#include "fetch/dump.h"

#include <algorithm>
#include <array>
#include <functional>

#include "bertprep/base/error.h"
#include "io/json.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

// Older dumps are too old to count as the latest.
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

// The files of those jobs of dumpstatus.json that make article dumps and are done.
ListedFiles files_done(const Json& status) {
  ListedFiles files;
  const Json* jobs = status.find("jobs");
  if (jobs == nullptr) return files;
  for (const char* name :
       {"articlesmultistreamdumprecombine", "articlesmultistreamdump", "articlesdumprecombine", "articlesdump"}) {
    const Json* job = jobs->find(name);
    if (job == nullptr || job->find("files") == nullptr || job->at("status").text() != "done") continue;
    for (const auto& [file_name, facts] : job->at("files").members()) {
      CatalogueFile file;
      file.name = file_name;
      if (const Json* size = facts.find("size")) file.facts.size_bytes = size->as_unsigned();
      for (const DigestKind kind : {DigestKind::kSha256, DigestKind::kSha1, DigestKind::kMd5}) {
        if (const Json* hex = facts.find(digest_name(kind))) file.facts.set_digest(kind, hex->text());
      }
      files.push_back(std::move(file));
    }
  }
  return files;
}

// Adds the catalogue's facts about single dumps.
void add_known_facts(const DumpCatalogue& catalogue, std::vector<CatalogueFile>& files) {
  for (CatalogueFile& file : files) {
    for (const CatalogueFile& known : catalogue.files) {
      if (known.name != file.name) continue;
      if (file.facts.size_bytes == 0) file.facts.size_bytes = known.facts.size_bytes;
      for (const DigestKind kind : {DigestKind::kSha256, DigestKind::kSha1, DigestKind::kMd5}) {
        if (file.facts.digest(kind).empty()) file.facts.set_digest(kind, known.facts.digest(kind));
      }
    }
  }
}

// The file at `place` (folder and name below a root) on every server, first on the one that lists it.
void add_mirrors(const DumpPlace& place, const std::string& first_root, const std::vector<std::string>& roots,
                 const DumpCatalogue& catalogue, const std::string& wiki, std::vector<CatalogueFile>& files) {
  for (CatalogueFile& file : files) {
    file.mirrors.push_back({first_root + place.folder + file.name});
    for (const std::string& root : roots) {
      if (root != first_root) file.mirrors.push_back({root + place.folder + file.name});
    }
    if (!is_dump_date(place.date)) continue;
    for (const std::string& archive : catalogue.archives) {
      file.mirrors.push_back({archive + "/" + wiki + "-" + place.date + "/" + file.name});
    }
  }
}

// Names a file of the dump that every server which answers lacks; empty if there is none. A mirror may list a dump long
// before it has its files, or without ever having them. Learns sizes that no list gives.
class Presence {
 public:
  Presence(std::string first_root, const std::vector<std::string>& roots, Pages& pages, const FetchOptions& options)
      : roots_{std::move(first_root)}, pages_(pages) {
    std::ranges::copy_if(roots, std::back_inserter(roots_),
                         [&](const std::string& root) { return root != roots_.front() && may_ask(root, options); });
  }

  std::string lack_of(FoundDump& found) {
    for (auto* files : {&found.files.articles, &found.files.indexes}) {
      for (CatalogueFile& file : *files) {
        if (!is_there(found.place.folder + file.name, file)) return file.name;
      }
    }
    return {};
  }

 private:
  // Also true if no server says that it is not.
  bool is_there(const std::string& path, CatalogueFile& file) {
    bool is_denied = false;
    for (std::string& root : roots_) {
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

  std::vector<std::string> roots_;
  Pages& pages_;
};

}  // namespace

std::vector<std::string> DumpSite::list_dates() {
  std::vector<std::string> dates;
  if (const auto page = pages_.get(root_ + "/" + wiki_ + "/")) {
    std::ranges::copy_if(linked_names(*page), std::back_inserter(dates), is_dump_date);
  }
  unreachable_ = pages_.was_unreachable();
  if (!dates.empty() || unreachable_) return dates;
  // On a server without listings, the digests of `latest` name dated files.
  const auto sums = pages_.get(root_ + "/" + wiki_ + "/latest/" + wiki_ + "-latest-sha1sums.txt");
  if (!sums) return dates;
  ListedFiles files;
  add_sums(*sums, files);
  for (const CatalogueFile& file : files) {
    if (!file.name.starts_with(wiki_ + "-")) continue;
    const std::string date = file.name.substr(wiki_.size() + 1, 8);
    if (is_dump_date(date) && std::ranges::find(dates, date) == dates.end()) dates.push_back(date);
  }
  return dates;
}

std::vector<std::string> DumpSite::known_dates() {
  if (!dates_) {
    dates_ = list_dates();
    std::ranges::sort(*dates_, std::greater<>());
  }
  return *dates_;
}

std::vector<std::string> DumpSite::list_export_dates() {
  std::vector<std::string> dates;
  if (const auto page = pages_.get(root_ + "/other/mediawiki_content_current/" + wiki_ + "/")) {
    std::ranges::copy_if(linked_names(*page), std::back_inserter(dates), is_dashed_date);
  }
  std::ranges::sort(dates, std::greater<>());
  return dates;
}

std::optional<FoundDump> DumpSite::find_latest(const std::function<std::string(FoundDump&)>& lack_of) {
  struct Candidate {
    std::string date;
    bool is_export;
  };
  std::vector<Candidate> candidates;
  for (const std::string& date : known_dates()) candidates.push_back({date, false});
  if (unreachable_) return std::nullopt;
  for (const std::string& date : list_export_dates()) candidates.push_back({date, true});
  std::ranges::stable_sort(candidates, std::greater<>(),
                           [](const Candidate& candidate) { return without_dashes(candidate.date); });
  candidates.resize(std::min(candidates.size(), kMaxDates));
  for (const auto& [date, is_export] : candidates) {
    const auto skip = [&, name = (is_export ? "the export of " : "the dump of ") + wiki_ + " of " +
                                 date](const std::string& reason) {
      progress_.note(name + " " + reason + "; the one before it is looked for");
    };
    std::optional<FoundDump> found;
    if (is_export) {
      found = find_export(date);
    } else if (FoundDump dump; find_legacy(date, dump) == Legacy::kFound) {
      found = std::move(dump);
    }
    if (unreachable_) return std::nullopt;
    if (!found) {
      skip("is not complete yet");
      continue;
    }
    const std::string lacking = lack_of(*found);
    if (lacking.empty()) return found;
    skip("lacks " + lacking + ", which no server has");
  }
  FoundDump undated{{"/" + wiki_ + "/latest/", "latest"}, {}};
  if (find_by_trying(undated.place, undated)) return undated;
  return std::nullopt;
}

std::optional<FoundDump> DumpSite::find(const std::string& date) {
  FoundDump found;
  const Legacy state = find_legacy(date, found);
  if (state == Legacy::kFound) return found;
  if (unreachable_) return std::nullopt;
  if (state == Legacy::kIncomplete) progress_.note("the dump of " + wiki_ + " of " + date + " is not complete yet");
  return find_export(with_dashes(date));
}

std::optional<FoundDump> DumpSite::find_flat(const std::string& date) {
  FoundDump found;
  if (find_by_sums({"/", date}, date, found)) return found;
  found.place = {"/", date};
  if (!pages_.was_unreachable() && find_by_trying(found.place, found)) return found;
  return std::nullopt;
}

DumpSite::Legacy DumpSite::find_legacy(const std::string& date, FoundDump& found) {
  const DumpPlace place{"/" + wiki_ + "/" + date + "/", date};
  if (const auto status = pages_.get(root_ + place.folder + "dumpstatus.json")) {
    try {
      found.files = choose_files(files_done(Json::parse(*status, "dumpstatus.json")), wiki_, date);
    } catch (const FormatError& error) {
      progress_.note(root_ + place.folder + error.what());
    }
    found.place = place;
    if (!found.files.articles.empty()) return Legacy::kFound;
    return Legacy::kIncomplete;
  }
  unreachable_ = pages_.was_unreachable();
  if (unreachable_) return Legacy::kAbsent;
  if (find_by_sums(place, date, found)) return Legacy::kFound;
  found.place = place;
  return find_by_trying(place, found) ? Legacy::kFound : Legacy::kAbsent;
}

bool DumpSite::find_by_sums(const DumpPlace& place, const std::string& date, FoundDump& found) {
  ListedFiles files;
  for (const char* kind : {"sha1", "md5"}) {
    const auto sums = pages_.get(root_ + place.folder + wiki_ + "-" + date + "-" + kind + "sums.txt");
    if (sums) add_sums(*sums, files);
  }
  found = {place, choose_files(files, wiki_, date)};
  return !found.files.articles.empty();
}

// Without a list, asks for the usual names.
bool DumpSite::find_by_trying(const DumpPlace& place, FoundDump& found) {
  for (const char* ending : {"-pages-articles-multistream.xml.bz2", "-pages-articles.xml.bz2"}) {
    CatalogueFile file;
    file.name = wiki_ + "-" + place.date + ending;
    const auto size = pages_.size_of(root_ + place.folder + file.name);
    if (!size) continue;
    file.facts.size_bytes = *size;
    found.files.articles.push_back(std::move(file));
    return true;
  }
  return false;
}

std::optional<FoundDump> DumpSite::find_export(const std::string& dashed_date) {
  FoundDump found;
  found.place.folder = "/other/mediawiki_content_current/" + wiki_ + "/" + dashed_date + "/xml/bzip2/";
  found.place.date = without_dashes(dashed_date);
  const auto sums = pages_.get(root_ + found.place.folder + "SHA256SUMS");
  // The file written last: all others exist if it does.
  if (!sums || !pages_.size_of(root_ + found.place.folder + "_SUCCESS")) return std::nullopt;
  ListedFiles files;
  add_sums(*sums, files);
  try {
    found.files = choose_files(files, wiki_, dashed_date);
  } catch (const FormatError& error) {
    progress_.note(root_ + found.place.folder + error.what());
  }
  if (found.files.articles.empty()) return std::nullopt;
  return found;
}

std::vector<std::string> roots_of(const DumpCatalogue& catalogue, const FetchOptions& options) {
  std::vector<std::string> roots;
  for (const std::string& base : mirror_bases(options)) {
    roots.push_back(base);
    if (!catalogue.roots.empty()) roots.push_back(base + "/" + host_of(catalogue.roots.front()));
  }
  roots.insert(roots.end(), catalogue.roots.begin(), catalogue.roots.end());
  return roots;
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

Dump find_dump(const std::string& wiki, const std::string& date, const DumpCatalogue& catalogue,
               const FetchOptions& options, const RetryPolicy& policy, Progress& progress) {
  if (date != "latest" && !is_dump_date(date)) {
    throw ConfigError("`dump_date`: '" + date + "' is not a valid date", {}, "write it like 20260701, or latest");
  }
  Pages pages(options, policy, progress);
  const std::vector<std::string> roots = roots_of(catalogue, options);
  std::vector<std::string> dates;
  Dump dump{wiki, date, {}};
  const auto take = [&](const FoundDump& found, const std::string& root) {
    dump.date = found.place.date;
    dump.files = found.files;
    for (auto* files : {&dump.files.articles, &dump.files.indexes}) {
      add_known_facts(catalogue, *files);
      add_mirrors(found.place, root, roots, catalogue, wiki, *files);
    }
  };
  for (const std::string& root : roots) {
    if (!may_ask(root, options)) continue;
    DumpSite site(root, wiki, pages, progress);
    Presence presence(root, roots, pages, options);
    const auto lack_of = [&](FoundDump& found) { return presence.lack_of(found); };
    if (const auto found = date == "latest" ? site.find_latest(lack_of) : site.find(date)) {
      take(*found, root);
      return dump;
    }
    for (const std::string& known : site.known_dates()) {
      if (std::ranges::find(dates, known) == dates.end()) dates.push_back(known);
    }
  }
  for (const std::string& archive : date == "latest" ? std::vector<std::string>{} : catalogue.archives) {
    if (!may_ask(archive, options)) continue;
    const std::string root = archive + "/" + wiki + "-" + date;
    DumpSite site(root, wiki, pages, progress);
    if (const auto found = site.find_flat(date)) {
      take(*found, root);
      return dump;
    }
  }
  std::ranges::sort(dates, std::greater<>());
  std::string existing;
  for (const std::string& known : dates) existing += (existing.empty() ? "" : ", ") + known;
  const std::string hint = existing.empty()
                               ? "check the addresses, or give another one with `mirror`, or a copy with `from_file`"
                               : "there are dumps of " + existing + " (`dump_date`)";
  throw_failed("no complete dump of " + wiki + " of " + date + " was found", {}, hint, pages.failed());
}

std::string dump_json(const Dump& dump) {
  Json json = Json::object();
  json.add("wiki", Json::string(dump.wiki)).add("date", Json::string(dump.date));
  json.add("articles", json_of(dump.files.articles)).add("indexes", json_of(dump.files.indexes));
  return json.dump();
}

Dump parse_dump(const std::string& text, const std::string& where) {
  const Json json = Json::parse(text, where);
  return {
      json.at("wiki").text(), json.at("date").text(), {files_of(json.at("articles")), files_of(json.at("indexes"))}};
}

}  // namespace bertprep
