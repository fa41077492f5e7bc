// RunRequest: the request for a run. The commands that make, plan or start a run have the same options.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/pipeline/build.h"
#include "options/command.h"
#include "pipeline/array/array_job.h"
#include "pipeline/sequences/sequences.h"
#include "run/run_inputs.h"

namespace bertprep::cli {

class RunRequest {
 public:
  // `work_fields`: the fields of WorkOptions that the command has; empty: all. `input_dash`: what "-" is as an input.
  void add_options(CLI::App& app, OptionTable& options, std::initializer_list<std::string_view> work_fields = {},
                   Dash input_dash = Dash::kRefused);
  // Adds the options of a run that ends in token sequences.
  void add_sequence_options(CLI::App& app, OptionTable& options);
  // Those shown by -h.
  static std::vector<std::string> essentials();
  // Determines whether the run makes rows or sequences, and adopts the case and accents of a tokenizer. Throws
  // ConfigError for options that are invalid with any input, or do not fit the vocabulary.
  void check(Progress& progress);
  // Checks a vocabulary that standard input held, once it is read.
  void check_read_vocab(Progress& progress) const;
  // Throws ConfigError if standard input is an input or the vocabulary, with the reason `why`.
  void require_files(const std::string& why);
  // Throws ConfigError for a flag that has no effect for the given inputs, and reads these to find out.
  void refuse_ignored(Progress& progress) const;
  // Downloads and looks up what is missing. Throws ConfigError for a flag that has no effect for the input.
  void resolve(Progress& progress);
  // The same for the plan of an array job (RunInputs).
  void resolve_plan(Progress& progress);

  // The array job of this request, which must outlive it; the same before and after resolve().
  const ArrayJob& array_job();

  RunInputs& inputs() { return inputs_; }
  const BuildFolders& folders() const { return folders_; }
  PipelineOptions& pipeline() { return pipeline_; }
  // The name of the result: as given, else that of the dataset, else that of the inputs.
  std::string name() const;

 private:
  bool is_wordpiece_goal() const;
  void check_pieces(Progress& progress) const;

  RunInputs inputs_;
  BuildFolders folders_;
  PipelineOptions pipeline_;
  SequenceRun sequences_;
  ArrayJob job_;
  const OptionTable* options_ = nullptr;
  bool reads_vocab_ = false;  // from standard input
};

}  // namespace bertprep::cli
