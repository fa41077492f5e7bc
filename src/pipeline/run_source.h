// RunSource: what a run reads, and the files of this machine for it, downloaded where they are missing.
#pragma once

#include <initializer_list>

#include "bertprep/fetch/fetch.h"
#include "bertprep/pipeline/stages.h"
#include "pipeline/ignored_options.h"

namespace bertprep {

struct RunSource {
  std::string dataset{};                        // a name of the catalogue; empty: `inputs`
  std::vector<std::filesystem::path> inputs{};  // some may be addresses (fetch.h)
  SourceOptions source{};
  WikiOptions wiki{};
  FetchOptions fetch{};
};

// FetchOptions for the vocabulary and the Punkt parameters: --from-file applies to the dataset.
FetchOptions fetch_options_of_models(const FetchOptions& fetch);

// Whether it is a file, or a vocabulary of the catalogue that is built in or on this machine.
bool is_vocab_here(const std::string& name_or_path);

// The parts of the corpus: those of the dataset, else one for the inputs, else none. Downloads missing files to
// `folder`, including the vocabulary and the Punkt parameters, and fills in their paths, the splitter for `auto`, and
// the name of the dataset. With --offline, throws one OfflineError that lists all missing files. Throws as
// fetch_dataset().
std::vector<CorpusPart> resolve_run(const RunSource& source, const std::filesystem::path& folder,
                                    PipelineOptions& pipeline, Progress& progress);
// The same for the plan of an array job: if all inputs are addresses of two files or more, of the same ending and in a
// format of records, lists them, and fetches only the first, if that tells the format.
std::vector<CorpusPart> resolve_plan(const RunSource& source, const std::filesystem::path& folder,
                                     PipelineOptions& pipeline, Progress& progress);

// For the tasks of such a job: fetches those of `files` that are not there yet.
void fetch_files_of(const RunSource& source, const std::filesystem::path& folder,
                    std::span<const std::filesystem::path> files, Progress& progress);

// For commands whose inputs may be addresses, too: the options of downloads that they have.
inline const std::initializer_list<std::string_view> kAddressOptions = {
    "contact", "retries", "stall-seconds", "connections", "verify-certificates", "offline"};

// Where calls without a work folder download: $BERT_PREP_WORKING_DIR/download, else bertprep-work/download.
std::filesystem::path download_folder();

// Which files of addresses a source reads.
RemoteChoice remote_choice(const SourceOptions& source);

// Replaces addresses by what is fetched for them. Throws ConfigError for download options without an address.
void fetch_addresses(std::vector<std::filesystem::path>& inputs, const SourceOptions& source, const FetchOptions& fetch,
                     std::span<const GivenOption> given, Progress& progress);

}  // namespace bertprep
