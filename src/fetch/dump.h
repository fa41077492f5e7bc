// A dump of a Wikipedia: which of them, which files, from where, with which digests.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/fetch/fetch.h"
#include "fetch/catalogue.h"
#include "fetch/dump_files.h"
#include "fetch/mirror_ring.h"

namespace bertprep {

struct Dump {
  std::string wiki;  // "enwiki"
  std::string date;  // "20260701"; "latest" when no server says which one that is
  ChosenFiles files;
};

// "en" -> "enwiki", "zh-min-nan" -> "zh_min_nanwiki". Throws ConfigError for what is no language code.
std::string wiki_of_language(const std::string& language);

// Asks the servers, one after the other, for the dump of `date` ("latest": the newest whose articles are complete). On
// each: dumpstatus.json, else the lists of digests, else the content file exports with their SHA256SUMS, else the
// undated files. Throws ConfigError (no date), IoError: with the dates that do exist, and what every server said.
Dump find_dump(const std::string& wiki, const std::string& date, const DumpCatalogue& catalogue,
               const FetchOptions& options, const RetryPolicy& policy, Progress& progress);

// What find_dump found, as JSON, so that the next call needs no server.
std::string dump_json(const Dump& dump);
Dump parse_dump(const std::string& json, const std::string& where);

}  // namespace bertprep
