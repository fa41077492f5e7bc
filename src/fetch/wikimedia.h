// Wikimedia's datasets: the dump of a Wikipedia, and its search index. Below the root of one of its servers:
//
//   enwiki/20260701/                                               a dump: dumpstatus.json, lists of digests
//   other/mediawiki_content_current/enwiki/2026-07-01/xml/bzip2/   a content file export: SHA256SUMS, _SUCCESS
//   other/cirrus_search_index/20260816/index_name=enwiki_content/  an index: _SUCCESS
#pragma once

#include "fetch/dump_files.h"
#include "fetch/fetch_job.h"

namespace bertprep {

// Whether the name is wikicorpus_LANG or cirrus_LANG.
bool is_of_wikimedia(const std::string& name);

// "en" -> "enwiki", "zh-min-nan" -> "zh_min_nanwiki". Throws ConfigError for text that is not a language code.
std::string wiki_of_language(const std::string& language);

// `from_file`: the user's file or folder; empty: download the files of FetchOptions::dump_date ("latest": what an
// earlier call found, else the newest that is complete, and each of whose files is on some server). The servers are
// asked in turn: those of `mirror`, then the catalogue's. On each: dumpstatus.json, else the lists of digests; the
// content file exports where they are newer; last the undated files. Throws ConfigError (no date, no language), and as
// throw_failed, with the existing dates and what every server said.
FetchedPart fetch_wikimedia(const FetchJob& job, const std::string& name, const std::filesystem::path& folder,
                            const std::filesystem::path& from_file);
// What the servers say of it. Writes nothing.
DatasetFacts describe_wikimedia(const FetchJob& job, const std::string& name);
// The same without asking them, of "wikicorpus_LANG" and "cirrus_LANG".
std::vector<DatasetFacts> known_of_wikimedia(const DumpCatalogue& catalogue);

}  // namespace bertprep
