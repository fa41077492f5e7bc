// RunSource: what a run reads, and the files of this machine for it, downloaded where they are missing.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/fetch/fetch.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/pipeline/stages.h"

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
// The same for the plan of an array job: with list_corpus().
std::vector<CorpusPart> resolve_plan(const RunSource& source, const std::filesystem::path& folder,
                                     PipelineOptions& pipeline, Progress& progress);

}  // namespace bertprep
