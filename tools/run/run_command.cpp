#include "bertprep/pipeline/build.h"
#include "bertprep/token/text_encoder.h"
#include "bertprep/token/vocab.h"
#include "console/standard_input.h"
#include "options/command.h"
#include "pipeline/array/array_job.h"
#include "pipeline/plan/plan.h"
#include "pipeline/records/run_layout.h"
#include "pipeline/run_stage.h"
#include "pipeline/sequences/sequence_set.h"
#include "run/run_flags.h"
#include "summary/summary.h"
#include "token/vocab_catalogue.h"

namespace bertprep::cli {
namespace {

class RunCommand final : public Command {
 public:
  explicit RunCommand(CLI::App& self) : Command(self) {
    flags_.add(*this, {}, Dash::kTaken);
    for (const auto& [name, more] :
         {std::pair("dataset", "; downloaded if needed"), std::pair("--input", "; - is stdin")}) {
      CLI::Option* option = app().get_option(name);
      option->description(option->get_description() + more);
    }
    add_max_rejects(*this, max_rejects_);
    add_strict_data(*this, strict_data_);
    add_flag("--dry-run", dry_run_, OptionGroup::kOutput, "print what would be done, write nothing and exit");
    add_option("--stage", stage_.stage, "fetch|format|place|shard|instances|finish", OptionGroup::kArrayJobs,
               "run one stage of an array job; run the stages in this order; format, shard and instances are arrays of "
               "any number of tasks");
    add_piece_size(*this, stage_.piece_size);
    options().add(app(), stage_.array);
  }

  int run(Console& console) override {
    flags_.check(console);
    RunRequest& request = flags_.request();
    const bool is_stage = !stage_.stage.empty();
    if (is_stage) {
      check_array(request.pipeline);
      flags_.require_files("each task of an array job reads the input itself");
    }
    if (!dry_run_) require_places(request.folders);
    const bool reads_vocab = request.pipeline.vocabulary == kDash;
    read_standard_input(request.source.inputs, request.pipeline.vocabulary, work_folder(request.folders), console);
    if (reads_vocab) request.check_pieces(flags_.given(), console);
    if (is_stage && !dry_run_) return run_stage(console);
    if (dry_run_) return request.is_dataset() ? describe_dataset_run(console) : describe(console);
    if (request.is_dataset()) expect_run(catalogue_size(), request.pipeline, console);
    const std::vector<CorpusPart> parts = request.resolve(flags_.given(), console);
    const BuildReport report = build(parts, request.folders, request.pipeline, console);
    print_summary(report.stages, console);
    print_data(report.stages, console);
    for (const auto& folder : report.shard_folders) {
      const SequenceRun* sequences = request.pipeline.sequences.get();
      if (sequences != nullptr) print_splits(splits_of_set(folder), resolve_sequences(sequences->options), console);
      console.say((sequences != nullptr ? "sequences: " : "shards: ") + folder.string());
    }
    const int status = status_for_rejects(format_stage(report), max_rejects_, console);
    return status_for_data(report.stages, strict_data_, status);
  }

 private:
  const RunRequest& request() const { return flags_.request(); }

  static StageReport format_stage(const BuildReport& report) {
    for (const StageReport& stage : report.stages) {
      if (stage.stage == "format") return stage;
    }
    return {};
  }

  // 0 if the catalogue does not have it.
  CorpusFacts catalogue_size() {
    for (const DatasetFacts& facts : known_datasets(request().source.fetch)) {
      if (facts.name == request().source.dataset) return {facts.download_bytes, facts.text_bytes, facts.articles};
    }
    return {};
  }

  int run_stage(Console& console) {
    const StageReport report = bertprep::run_stage(flags_.request(), stage_, flags_.given(), console);
    print_summary({&report, 1}, console);
    if (report.stage != "finish") return kDone;
    print_data({&report, 1}, console);
    return status_for_data({&report, 1}, strict_data_, status_for_rejects(report, max_rejects_, console));
  }

  int describe_dataset_run(Console& console) {
    if (request().source.fetch.offline) look_up(console);
    const DatasetFacts facts = describe_dataset(request().source.dataset, request().source.fetch, console);
    console.say("dataset   " + facts.name + ", " + facts.title);
    console.say("download  " + (facts.download_bytes == 0 ? "of unknown size" : bytes_text(facts.download_bytes)));
    describe_shards(console);
    describe_phases(console);
    return kDone;
  }

  // What a run would first fetch; with --offline, the run's error.
  std::vector<FetchSubject> look_up(Console& console) {
    const bool may_fetch = !request().source.fetch.offline;
    flags_.request().source.fetch.offline = true;
    try {
      parts_ = flags_.request().resolve(flags_.given(), console);
    } catch (const OfflineError& error) {
      if (may_fetch) return error.missing();
      throw;
    }
    return {};
  }

  int describe(Console& console) {
    const std::vector<FetchSubject> missing = look_up(console);
    for (const FetchSubject& subject : missing) console.say("download  " + subject.what);
    for (const CorpusPart& part : parts_) {
      console.say("format    " + std::string(name_of(resolve_format(part.inputs, part.source))) + " from " +
                  counted(part.inputs.size(), "input"));
    }
    if (missing.empty()) {
      console.say("sentences " + identity_of(*make_sentence_splitter(request().pipeline.sentences)));
    }
    describe_shards(console);
    if (missing.empty()) {
      const PipelineOptions& options = request().pipeline;
      const TextEncoder encoder = TextEncoder::open(options.vocabulary, {}, options.tokenizer);
      const bool is_wordpiece = encoder.wordpiece() != nullptr;
      console.say("vocab     " + (is_wordpiece ? vocab_place(options.vocabulary) : options.vocabulary) + ", " +
                  grouped(encoder.size()) + (is_wordpiece ? " pieces" : " tokens"));
    }
    describe_phases(console);
    return kDone;
  }

  void describe_shards(Console& console) {
    const ShardingOptions& sharding = request().pipeline.sharding;
    console.say("shards    " + shards_text(sharding.train_shards) + " training, " + shards_text(sharding.test_shards) +
                " test");
  }

  static std::string shards_text(std::int64_t given) { return given == 0 ? "256 or fewer" : std::to_string(given); }

  void describe_phases(Console& console) {
    for (const InstanceOptions& phase : request().pipeline.phases()) {
      console.say("phase     " + std::to_string(phase.seq_len) + " tokens, " + std::to_string(phase.max_predictions) +
                  " predictions, dupe factor " + std::to_string(phase.dupe_factor));
    }
    if (request().pipeline.sequences != nullptr) describe_sequences(console);
    console.say("output    " + request().folders.output.string());
  }

  void describe_sequences(Console& console) {
    const SequenceOptions options = resolve_sequences(request().pipeline.sequences->options);
    const std::int64_t tokens = options.blocks != 0 ? options.blocks : options.max_tokens;
    const std::string word = sequence_word(options);
    console.say("sequences " + std::string(name_of(options.format)) + ", " + word + "s" +
                (word == "document" ? "" : " of up to " + grouped(static_cast<std::uint64_t>(tokens)) + " tokens"));
  }

  RunFlags flags_;
  StageRequest stage_;
  std::vector<CorpusPart> parts_;
  std::int64_t max_rejects_ = -1;
  bool strict_data_ = false;
  bool dry_run_ = false;
};

}  // namespace

extern const CommandEntry kRunCommand{"run", make_command<RunCommand>};

}  // namespace bertprep::cli
