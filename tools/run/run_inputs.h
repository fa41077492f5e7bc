// RunInputs: the inputs of a run: given files or a dataset, with vocabulary and Punkt parameters.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "bertprep/fetch/fetch.h"
#include "bertprep/pipeline/build.h"
#include "console/console.h"
#include "options/command.h"
#include "pipeline/run_source.h"

namespace bertprep::cli {

class RunInputs {
 public:
  // Adds DATASET, --input, for which `dash` says what "-" is, and the options of sources, wiki markup and downloads.
  void add_options(CLI::App& app, OptionTable& options, Dash dash);
  // Throws ConfigError unless either a dataset or inputs are given.
  void check() const;

  // Looks up the vocabulary and the sentence model without fetching; throws ConfigError, IoError or FormatError for
  // those that a run would not find. `paths_count`: the run uses this machine's files.
  void check_models(const PipelineOptions& pipeline, bool paths_count) const;

  bool is_dataset() const { return !dataset_.empty(); }
  // Whether all inputs are files of this machine: there is neither a dataset nor an address.
  bool are_here() const;
  const std::string& dataset() const { return dataset_; }
  // The name of a dataset made from the files of --input.
  std::string name() const;
  // The files of --input; empty for a dataset.
  const std::vector<std::filesystem::path>& named_inputs() const { return inputs_; }
  std::vector<std::filesystem::path>& named_inputs() { return inputs_; }
  std::vector<CorpusPart> named_parts() const { return {{inputs_, source_, wiki_}}; }
  const FetchOptions& fetch_options() const { return fetch_; }
  // SourceOptions::as_is.
  void set_as_is(bool as_is) { source_.as_is = wiki_.as_is = as_is; }
  // Disables fetching from now on.
  void go_offline() { fetch_.offline = true; }
  const SourceOptions& source() const { return source_; }
  const WikiOptions& wiki() const { return wiki_; }
  // Whether a name on the command line may require a download, ignoring earlier downloads.
  bool may_download(const PipelineOptions& pipeline) const;
  // The dataset, or the inputs: absolute paths and addresses.
  std::vector<std::string> requested() const;
  // Downloads missing files, including the vocabulary and the Punkt parameters, and fills in their paths, and the name
  // of the dataset. With --offline, throws one OfflineError that lists all missing files.
  void resolve(const std::filesystem::path& work, PipelineOptions& pipeline, Progress& progress);
  // The same for the plan of an array job, whose tasks fetch() what they read.
  void resolve_plan(const std::filesystem::path& work, PipelineOptions& pipeline, Progress& progress);
  void fetch(const std::filesystem::path& work, std::span<const std::filesystem::path> files, Progress& progress) const;
  // Only known after resolve().
  const std::vector<CorpusPart>& parts() const { return parts_; }

 private:
  RunSource run_source() const { return {dataset_, inputs_, source_, wiki_, fetch_}; }

  std::string dataset_;
  std::vector<std::filesystem::path> inputs_;
  SourceOptions source_;
  WikiOptions wiki_;
  FetchOptions fetch_;
  std::vector<CorpusPart> parts_;
};

}  // namespace bertprep::cli
