// RunInputs: what a run reads: files that are named, or a dataset by name, with its vocabulary and Punkt parameters.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bertprep/fetch/fetch.h"
#include "bertprep/pipeline/build.h"
#include "console/console.h"
#include "options/command.h"

namespace bertprep::cli {

class RunInputs {
 public:
  // Adds DATASET, --input, and the options of sources, wiki markup and downloads.
  void add_options(CLI::App& app, OptionTable& options);
  // Throws ConfigError unless either a dataset or inputs are given.
  void check() const;

  // Looks up the vocabulary and the sentence model without fetching any: ConfigError, IoError or FormatError for those
  // that a run would not find. `paths_count`: this machine has the files that the run will see.
  void check_models(const PipelineOptions& pipeline, bool paths_count) const;

  bool is_dataset() const { return !dataset_.empty(); }
  const std::string& dataset() const { return dataset_; }
  // What --input names; empty for a dataset.
  const std::vector<std::filesystem::path>& named_inputs() const { return inputs_; }
  std::vector<std::filesystem::path>& named_inputs() { return inputs_; }
  std::vector<CorpusPart> named_parts() const { return {{inputs_, source_, wiki_}}; }
  const FetchOptions& fetch_options() const { return fetch_; }
  // Nothing is fetched from here on.
  void go_offline() { fetch_.offline = true; }
  const SourceOptions& source() const { return source_; }
  const WikiOptions& wiki() const { return wiki_; }
  // Whether something is asked for by a name that a server may have to be asked for. So says the command line alone,
  // whatever was downloaded before.
  bool may_download(const PipelineOptions& pipeline) const;
  // The dataset, or the inputs as absolute paths.
  std::vector<std::string> asked() const;
  // Downloads what is not there yet, the vocabulary and the Punkt parameters too, and fills in where it is, and the
  // name that a dataset brings with it. With --offline it throws one OfflineError that names all that is missing.
  void resolve(const std::filesystem::path& work, PipelineOptions& pipeline, Progress& progress);
  // For a dataset known after resolve() only.
  const std::vector<CorpusPart>& parts() const { return parts_; }

 private:
  void fetch_parts(const std::filesystem::path& folder, PipelineOptions& pipeline, Progress& progress);
  void choose_splitter(SentenceOptions& sentences) const;
  void fetch_vocab_of(const std::filesystem::path& folder, PipelineOptions& pipeline, Progress& progress) const;
  void fetch_punkt_of(const std::filesystem::path& folder, PipelineOptions& pipeline, Progress& progress) const;
  FetchOptions fetch_options_of_models() const;

  std::string dataset_;
  std::vector<std::filesystem::path> inputs_;
  SourceOptions source_;
  WikiOptions wiki_;
  FetchOptions fetch_;
  std::vector<CorpusPart> parts_;
};

}  // namespace bertprep::cli
