// The parts of a dataset: downloaded, or taken from what the user has.
#pragma once

#include <filesystem>
#include <string>

#include "fetch/dump.h"
#include "fetch/fetch_job.h"

namespace bertprep {

// Of an entry with files. `from_file`: the user's file or folder; empty: download.
FetchedPart fetch_entry(const FetchJob& job, const CatalogueEntry& entry, const std::filesystem::path& folder,
                        const std::filesystem::path& from_file);

// Of wikicorpus_LANG.
FetchedPart fetch_wiki(const FetchJob& job, const std::string& name, const std::filesystem::path& folder,
                       const std::filesystem::path& from_file);
// The dump that fetch_wiki would take.
Dump wiki_dump(const FetchJob& job, const std::string& name, const std::filesystem::path& state_folder);

// "en" of "wikicorpus_en"; empty for other names.
std::string language_of(const std::string& name);

}  // namespace bertprep
