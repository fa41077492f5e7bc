// Dumps of Wikipedias: finds a wiki's dump on a server, its files, their URLs and digests.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/fetch/fetch.h"
#include "fetch/catalogue.h"
#include "fetch/dump_files.h"
#include "fetch/mirror_ring.h"
#include "fetch/pages.h"

namespace bertprep {

// DumpSite: the dumps of a wiki on one server.
struct DumpPlace {
  std::string folder;  // below the root: "/enwiki/20260701/"
  std::string date;    // "20260701", or "latest"
};

struct FoundDump {
  DumpPlace place;
  ChosenFiles files;
};

class DumpSite {
 public:
  DumpSite(std::string root, std::string wiki, Pages& pages, Progress& progress)
      : root_(std::move(root)), wiki_(std::move(wiki)), pages_(pages), progress_(progress) {}

  // The newest complete dump, an export if it is newer; nothing if there is none or the server can't be reached.
  // `lack_of`: names a file of a dump that no server has; empty if there is none.
  std::optional<FoundDump> find_latest(const std::function<std::string(FoundDump&)>& lack_of);
  std::optional<FoundDump> find(const std::string& date);
  // On a server with the files of one dump in the root itself, as on archive.org.
  std::optional<FoundDump> find_flat(const std::string& date);
  // Newest first; asks the server for them.
  std::vector<std::string> known_dates();

 private:
  enum class Legacy { kFound, kIncomplete, kAbsent };
  std::vector<std::string> list_dates();
  std::vector<std::string> list_export_dates();
  Legacy find_legacy(const std::string& date, FoundDump& found);
  bool find_by_sums(const DumpPlace& place, const std::string& date, FoundDump& found);
  bool find_by_trying(const DumpPlace& place, FoundDump& found);
  std::optional<FoundDump> find_export(const std::string& dashed_date);

  std::string root_;
  std::string wiki_;
  Pages& pages_;
  Progress& progress_;
  std::optional<std::vector<std::string>> dates_{};
  bool unreachable_ = false;
};

struct Dump {
  std::string wiki;  // "enwiki"
  std::string date;  // "20260701"; "latest" if no server says which one that is
  ChosenFiles files;
};

// "en" -> "enwiki", "zh-min-nan" -> "zh_min_nanwiki". Throws ConfigError for text that is not a language code.
std::string wiki_of_language(const std::string& language);

// The servers of dumps: of each `mirror`, itself and a folder named after Wikimedia's host; then the catalogue's.
std::vector<std::string> roots_of(const DumpCatalogue& catalogue, const FetchOptions& options);

// Asks the servers in turn for the dump of `date` ("latest": the newest whose articles are complete and each of whose
// files is on some server). On each: dumpstatus.json, else the lists of digests; the content file exports with their
// SHA256SUMS where they are newer; last the undated files. Throws ConfigError (no date), and as throw_failed, with the
// existing dates and what every server said.
Dump find_dump(const std::string& wiki, const std::string& date, const DumpCatalogue& catalogue,
               const FetchOptions& options, const RetryPolicy& policy, Progress& progress);

// The result of find_dump as JSON, so that the next call needs no server.
std::string dump_json(const Dump& dump);
Dump parse_dump(const std::string& json, const std::string& where);

}  // namespace bertprep
