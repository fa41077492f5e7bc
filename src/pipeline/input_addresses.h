// Addresses among the inputs of runs and commands -> files of this machine.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "bertprep/fetch/fetch.h"
#include "bertprep/pipeline/stages.h"
#include "pipeline/ignored_options.h"
#include "pipeline/run_source.h"

namespace bertprep {

// The options of downloads that calls have whose inputs may be addresses.
inline const std::initializer_list<std::string_view> kAddressOptions = {
    "contact", "retries", "stall-seconds", "connections", "verify-certificates", "offline"};

// Where calls without a work folder download: $BERT_PREP_WORKING_DIR/download, else bertprep-work/download.
std::filesystem::path download_folder();

// Which files of addresses a source reads.
RemoteChoice remote_choice(const SourceOptions& source);

// Replaces addresses by what is fetched for them. Throws ConfigError for download options without an address.
void fetch_addresses(std::vector<std::filesystem::path>& inputs, const SourceOptions& source, const FetchOptions& fetch,
                     std::span<const GivenOption> given, Progress& progress);

// The inputs of a run, downloaded to `folder`.
CorpusPart fetch_corpus(const RunSource& source, const std::filesystem::path& folder, Progress& progress);
// For the plan of an array job: if all inputs are addresses of two files or more, of the same ending and in a format of
// records, lists them, and fetches only the first, if that tells the format. Else as above.
CorpusPart list_corpus(const RunSource& source, const std::filesystem::path& folder, Progress& progress);
// For the tasks of such a job: fetches those of `files` that are not there yet.
void fetch_files_of(const RunSource& source, const std::filesystem::path& folder,
                    std::span<const std::filesystem::path> files, Progress& progress);

}  // namespace bertprep
