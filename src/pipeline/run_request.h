// RunRequest: a run as it is asked for, by the program's flags or Python's keywords, before anything is looked up.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "bertprep/base/progress.h"
#include "bertprep/pipeline/build.h"
#include "pipeline/array/array_job.h"
#include "pipeline/plan/plan.h"
#include "pipeline/run_source.h"
#include "pipeline/sequences/sequences.h"

namespace bertprep {

// The fields of SequenceOptions that a run has.
inline const std::initializer_list<std::string_view> kSequenceFieldsOfRuns = {
    "for",   "to",         "column",      "dtype",  "max-tokens", "text",       "line-ends",
    "long",  "min-tokens", "blocks",      "stride", "last-block", "group-rows", "eod",
    "level", "size-limit", "compression", "hashes", "test-split"};

// `given`, below, are the options that were given, for those that must not be.
struct RunRequest {
  RunRequest() { pipeline.corpus.name.clear(); }

  RunSource source{};
  BuildFolders folders{};
  PipelineOptions pipeline{};  // without a name: that of the dataset or the inputs
  SequenceRun sequences{};     // if its options ask for sequences

  bool is_dataset() const { return !source.dataset.empty(); }
  // Whether all inputs are files of this machine: there is neither a dataset nor an address.
  bool are_inputs_here() const;
  std::string name() const;
  std::filesystem::path download_folder() const;

  // Throws ConfigError unless either a dataset or inputs are given, and for options that don't go with them.
  void check_source() const;
  // Determines whether the run makes rows or sequences, and adopts the case and accents of a tokenizer. Throws
  // ConfigError for options that are invalid with any input, or do not fit the vocabulary.
  void check(std::span<const GivenOption> given, Progress& progress);
  // Refuses pieces that can't occur in text, once the vocabulary is on this machine.
  void check_pieces(std::span<const GivenOption> given, Progress& progress) const;
  // Throws ConfigError for a flag that has no effect for the given inputs, and reads these to find out.
  void refuse_ignored(std::span<const GivenOption> given, Progress& progress) const;

  // The array job of this request; to be called before resolve().
  ArrayJob array_job() const;
  // Downloads and looks up what is missing, and fills in the paths and the name. Throws ConfigError for a flag that has
  // no effect for the input. With --offline, throws one OfflineError that lists all missing files.
  std::vector<CorpusPart> resolve(std::span<const GivenOption> given, Progress& progress);
  // The same for the plan of an array job, whose tasks fetch what they read.
  std::vector<CorpusPart> resolve_plan(std::span<const GivenOption> given, Progress& progress);
  // What the run would need and make: measured if all of its input and models are on this machine, else from what is
  // known of the dataset or the addresses.
  Plan plan(std::span<const GivenOption> given, Progress& progress);

 private:
  using Resolve = std::vector<CorpusPart> (*)(const RunSource&, const std::filesystem::path&, PipelineOptions&,
                                              Progress&);
  std::vector<CorpusPart> resolve_by(Resolve resolve_parts, std::span<const GivenOption> given, Progress& progress);
  std::vector<CorpusPart> find_downloaded(Progress& progress);
  bool may_download() const;
  bool is_wordpiece_goal() const;
};

}  // namespace bertprep
