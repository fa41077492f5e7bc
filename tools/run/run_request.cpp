#include "run/run_request.h"

#include <array>

#include "base/fields.h"
#include "bertprep/token/text_encoder.h"
#include "console/standard_input.h"
#include "io/input_file.h"
#include "pipeline/ignored_options.h"
#include "pipeline/records/dataset_vocab.h"
#include "pipeline/records/vocab_text.h"

namespace bertprep::cli {

void RunRequest::add_options(CLI::App& app, OptionTable& options, std::initializer_list<std::string_view> work_fields,
                             Dash input_dash) {
  options_ = &options;
  pipeline_.corpus.name.clear();  // not given: the dataset's, or that of the inputs
  const std::string output = heading(OptionGroup::kOutput);
  inputs_.add_options(app, options, input_dash);
  check_path(app.add_option("-o,--output", folders_.output, "shards go to ROOT/hdf5_.../NAME, one folder per phase"))
      ->required()
      ->type_name("ROOT")
      ->group(output);
  check_path(
      app.add_option("-w,--work", folders_.work,
                     "folder for downloads, formatted text and text shards (default $BERT_PREP_WORKING_DIR, else "
                     "bertprep-work beside ROOT)"))
      ->type_name("DIR")
      ->group(output);
  options.add(app, pipeline_.corpus);
  app.get_option("--name")->description("name of the dataset (default: that of the input)");
  options.add(app, pipeline_);
  options.add(app, pipeline_.tokenizer);
  options.add(app, pipeline_.sentences);
  options.add(app, pipeline_.sharding);
  options.add(app, pipeline_.instances);
  app.get_option("--seq-len")
      ->description("with --phase custom: length of a row, including [CLS] and both [SEP] (5 to 65535)");
  app.get_option("--max-predictions")
      ->description("with --phase custom: maximum number of masked tokens in a row (1 to 65535)");
  options.add(app, pipeline_.layout);
  options.add(app, pipeline_.work, work_fields);
  options.add_config_flags(app);
}

void RunRequest::add_sequence_options(CLI::App& app, OptionTable& options) {
  options.add(
      app, sequences_.options,
      {"for", "to", "column", "dtype", "max-tokens", "text", "line-ends", "long", "min-tokens", "blocks", "stride",
       "last-block", "group-rows", "eod", "level", "size-limit", "compression", "hashes", "test-split"});
  options.add(app, sequences_.encoder);
}

std::vector<std::string> RunRequest::essentials() {
  return {"--input",  "--format", "--vocab", "--sentences", "--phase",
          "--output", "--work",   "--name",  "--threads",   "--memory"};
}

void RunRequest::check(Progress& progress) {
  const SequenceOptions& sequences = sequences_.options;
  if (sequences.preset != SequencePreset::kNone || sequences.format != SequenceFormat::kAuto) {
    resolve_sequences(sequences);
    pipeline_.sequences = std::make_shared<const SequenceRun>(sequences_);
    pipeline_.as_is = keeps_text(pipeline_);
    inputs_.set_as_is(pipeline_.as_is);
  }
  refuse_options_of_other_goal(options_->given(), pipeline_.sequences != nullptr);
  inputs_.check();
  require_no_device(pipeline_.vocabulary);  // before downloads
  PipelineOptions named = pipeline_;
  named.corpus.name = name();
  named.validate_all();
  check_max_article(inputs_.source().max_article, named.work.memory);
  if (!is_wordpiece_goal()) return;
  adopt_vocab_text(given_text(options_->given()), pipeline_.vocabulary, pipeline_.tokenizer, progress);
  require_fitting_case(pipeline_.vocabulary, pipeline_.tokenizer);
  reads_vocab_ = pipeline_.vocabulary == kDash;
  if (!reads_vocab_) check_pieces(progress);
}

// Byte pairs are an error for rows, which require_fitting_case() tells.
bool RunRequest::is_wordpiece_goal() const {
  return pipeline_.sequences == nullptr || !is_byte_pair_path(pipeline_.vocabulary);
}

// One that is not on this machine yet is known by name.
void RunRequest::check_pieces(Progress& progress) const {
  const std::string& vocabulary = pipeline_.vocabulary;
  if (!std::filesystem::exists(vocabulary)) return;
  require_reachable_pieces(given_text(options_->given()), vocabulary, load_vocab(vocabulary), pipeline_.tokenizer,
                           progress);
}

void RunRequest::check_read_vocab(Progress& progress) const {
  if (reads_vocab_ && is_wordpiece_goal()) check_pieces(progress);
}

void RunRequest::require_files(const std::string& why) {
  refuse_standard_input(inputs_.named_inputs(), why);
  refuse_standard_input(std::array{std::filesystem::path(pipeline_.vocabulary)}, why);
}

std::string RunRequest::name() const {
  if (!pipeline_.corpus.name.empty()) return pipeline_.corpus.name;
  return inputs_.is_dataset() ? inputs_.dataset() : inputs_.name();
}

const ArrayJob& RunRequest::array_job() {
  if (!job_.request.empty()) return job_;
  job_.folders = folders_;
  job_.name = name();
  job_.request = array_request(inputs_.requested(), inputs_.source(), inputs_.wiki(), pipeline_);
  job_.fetch = [this](std::span<const std::filesystem::path> files, Progress& progress) {
    inputs_.fetch(work_folder(folders_), files, progress);
  };
  return job_;
}

void RunRequest::refuse_ignored(Progress& progress) const {
  if (!inputs_.may_download(pipeline_)) refuse_download_options(options_->given());
  if (inputs_.are_here()) refuse_ignored_options(options_->given(), inputs_.named_parts(), progress);
}

void RunRequest::resolve(Progress& progress) {
  array_job();
  refuse_ignored(progress);
  inputs_.resolve(work_folder(folders_), pipeline_, progress);
  if (!inputs_.are_here()) refuse_ignored_options(options_->given(), inputs_.parts(), progress);
}

void RunRequest::resolve_plan(Progress& progress) {
  array_job();
  refuse_ignored(progress);
  inputs_.resolve_plan(work_folder(folders_), pipeline_, progress);
  if (!inputs_.are_here()) refuse_ignored_options(options_->given(), inputs_.parts(), progress);
}

}  // namespace bertprep::cli
