#include "amounts.h"
#include "bertprep/base/error.h"
#include "bertprep/pipeline/build.h"
#include "bertprep/token/vocab.h"
#include "bertprep/token/vocab_catalogue.h"
#include "command.h"
#include "exit_status.h"
#include "run_inputs.h"
#include "summary.h"

namespace bertprep::cli {
namespace {

constexpr const char* kExamples =
    "  bertprep run wikitext-2 -o data/hdf5_dataset\n"
    "  bertprep run --input tickets.jsonl --text-field body --name tickets --sentences icu \\\n"
    "      --train-shards 16 --test-shards 2 --phase 1 -o data/hdf5_dataset";

class RunCommand final : public Command {
 public:
  explicit RunCommand(CLI::App& parent)
      : Command(parent, "run", "Make shards of a dataset or of text: fetch, format, shard and instances in a row",
                kExamples) {
    inputs_.add_options(app(), options());
    app()
        .add_option("-o,--output", folders_.output, "shards go to ROOT/hdf5_.../NAME, one folder a phase")
        ->required()
        ->type_name("ROOT");
    app()
        .add_option("-w,--work", folders_.work,
                    "for downloads, formatted text and text shards (default $BERT_PREP_WORKING_DIR, else "
                    "bertprep-work beside ROOT)")
        ->type_name("DIR");
    app()
        .add_option("--max-rejects", max_rejects_, "end with status 3 if more records are rejected (default no limit)")
        ->type_name("RECORDS");
    app().add_flag("--dry-run", dry_run_, "say what would be done, write nothing and stop");
    options().add(app(), pipeline_.corpus);
    options().add(app(), pipeline_.vocab);
    options().add(app(), pipeline_.tokenizer);
    options().add(app(), pipeline_.sentences);
    options().add(app(), pipeline_.sharding);
    options().add(app(), pipeline_.instances);
    options().add(app(), pipeline_.layout);
    options().add(app(), pipeline_.work);
    options().add_config_flags(app());
  }

  int run(Console& console) override {
    inputs_.check();
    refuse_idle_flags();
    if (dry_run_ && inputs_.is_dataset()) return describe_dataset_run(console);
    inputs_.resolve(work_folder(folders_), pipeline_, console);
    choose_splitter();
    if (dry_run_) return describe(console);
    const BuildReport report = build(inputs_.parts(), folders_, pipeline_, console);
    print_summary(report.stages, console);
    for (const auto& folder : report.shard_folders) console.say("shards: " + folder.string());
    if (!keeps_downloads()) inputs_.remove_downloads();
    return status_for_rejects(rejected(report), max_rejects_, console);
  }

 private:
  static std::uint64_t rejected(const BuildReport& report) {
    for (const StageReport& stage : report.stages) {
      if (stage.stage == "format") return stage.rejected;
    }
    return 0;
  }

  bool keeps_downloads() const { return pipeline_.work.keep.find("download") != std::string::npos; }

  // The lengths of phases 1 and 2 are fixed: a flag that would change nothing is a mistake.
  void refuse_idle_flags() {
    if (pipeline_.corpus.phase == "custom") return;
    for (const char* flag : {"--seq-len", "--max-predictions"}) {
      if (app().get_option(flag)->count() == 0) continue;
      throw ConfigError(std::string(flag) + " counts for --phase custom only", {},
                        "add --phase custom, or leave it out: --phase " + pipeline_.corpus.phase + " has its own");
    }
  }

  // Text shards are split already: their lines are the sentences unless the user says otherwise.
  void choose_splitter() {
    if (inputs_.is_dataset() || app().get_option("--sentences")->count() != 0 ||
        app().get_option("--punkt")->count() != 0) {
      return;
    }
    for (const CorpusPart& part : inputs_.parts()) {
      if (resolve_format(part.inputs, part.source) != "sentences") return;
    }
    pipeline_.sentences.sentences = "lines";
  }

  int describe_dataset_run(Console& console) {
    const DatasetFacts facts = describe_dataset(inputs_.dataset(), inputs_.fetch_options(), console);
    console.say("dataset   " + facts.name + ", " + facts.title);
    console.say("download  " + (facts.download_bytes == 0 ? "of unknown size" : bytes_text(facts.download_bytes)));
    describe_shards(console);
    describe_phases(console);
    return kDone;
  }

  int describe(Console& console) {
    pipeline_.validate_all();
    for (const CorpusPart& part : inputs_.parts()) {
      console.say("format    " + resolve_format(part.inputs, part.source) + " from " +
                  counted(part.inputs.size(), "input"));
    }
    console.say("sentences " + make_sentence_splitter(pipeline_.sentences)->identity());
    describe_shards(console);
    const std::filesystem::path vocab = resolve_vocab(pipeline_.vocab.vocab);
    console.say("vocab     " + vocab.string() + ", " + grouped(Vocab::load(vocab).size()) + " pieces");
    describe_phases(console);
    return kDone;
  }

  void describe_shards(Console& console) {
    console.say("shards    " + std::to_string(pipeline_.sharding.train_shards) + " training, " +
                std::to_string(pipeline_.sharding.test_shards) + " test");
  }

  void describe_phases(Console& console) {
    for (const InstanceOptions& phase : pipeline_.phases()) {
      console.say("phase     " + std::to_string(phase.seq_len) + " tokens, " + std::to_string(phase.max_predictions) +
                  " predictions, dupe factor " + std::to_string(phase.dupe_factor));
    }
    console.say("output    " + folders_.output.string());
  }

  RunInputs inputs_;
  BuildFolders folders_;
  PipelineOptions pipeline_;
  std::int64_t max_rejects_ = -1;
  bool dry_run_ = false;
};

}  // namespace

std::unique_ptr<Command> make_run_command(CLI::App& parent) {
  return std::make_unique<RunCommand>(parent);
}

}  // namespace bertprep::cli
