#include "run/run_flags.h"

#include <algorithm>

#include "console/standard_input.h"
#include "pipeline/corpus_name.h"
#include "pipeline/run_stage.h"

namespace bertprep::cli {

void RunFlags::add(Command& command, std::initializer_list<std::string_view> work_fields, Dash input_dash) {
  CLI::App& app = command.app();
  OptionTable& options = command.options();
  options_ = &options;
  RunSource& source = request_.source;
  command.add_argument("dataset", source.dataset, "DATASET",
                       "a name that 'bertprep fetch --list' shows: wikitext-2, wikicorpus_en, bookswiki ...");
  check_input(app.add_option("-i,--input", source.inputs, "files, folders or addresses, in order"), input_dash)
      ->type_name("PATH")
      ->group(heading(OptionGroup::kInput));
  options.add_all(app, source.source, source.wiki, source.fetch);
  command
      .add_option("-o,--output", request_.folders.output, "ROOT", OptionGroup::kOutput,
                  "shards go to ROOT/hdf5_.../NAME, one folder per phase")
      ->required();
  command.add_option("-w,--work", request_.folders.work, "DIR", OptionGroup::kOutput,
                     "folder for downloads, formatted text and text shards (default $BERT_PREP_WORKING_DIR, else "
                     "bertprep-work beside ROOT)");
  PipelineOptions& pipeline = request_.pipeline;
  options.add(app, pipeline.corpus);
  app.get_option("--name")->description("name of the dataset (default: that of the input)");
  options.add_all(app, pipeline, pipeline.tokenizer, pipeline.sentences, pipeline.sharding, pipeline.instances);
  app.get_option("--seq-len")
      ->description("with --phase custom: length of a row, including [CLS] and both [SEP] (5 to 65535)");
  app.get_option("--max-predictions")
      ->description("with --phase custom: maximum number of masked tokens in a row (1 to 65535)");
  options.add(app, pipeline.layout);
  options.add(app, pipeline.work, work_fields);
  options.add_config_flags(app);
  options.add(app, request_.sequences.options, kSequenceFieldsOfRuns);
  options.add(app, request_.sequences.encoder);
}

void RunFlags::check(Progress& progress) {
  request_.check_source();
  require_no_device(request_.pipeline.vocabulary);  // before downloads
  std::vector<std::filesystem::path> inputs = request_.source.inputs;
  if (std::ranges::find(inputs, kDash) != inputs.end() && request_.pipeline.corpus.name.empty()) {
    std::ranges::replace(inputs, std::filesystem::path(kDash), std::filesystem::path(kStandardInput));
    request_.pipeline.corpus.name = name_of_corpus(inputs);
  }
  request_.check(given(), progress);
}

void RunFlags::require_files(const std::string& why) const {
  refuse_standard_input(request_.source.inputs, why);
  refuse_standard_input(std::array{std::filesystem::path(request_.pipeline.vocabulary)}, why);
}

void add_piece_size(Command& command, std::string& piece_size) {
  command.add_option(
      "--piece-size", piece_size, "BYTES", OptionGroup::kArrayJobs,
      std::string("array jobs: cut the input into pieces of about this many bytes (default ") + kUsualPieceSize + ")");
}

}  // namespace bertprep::cli
