#include <cstdlib>

#include "base/fields.h"
#include "batch/array_position.h"
#include "console/console.h"
#include "options/command.h"
#include "pipeline/ignored_options.h"
#include "pipeline/records/dataset_vocab.h"
#include "pipeline/sequences/sequences.h"
#include "summary/summary.h"

namespace bertprep::cli {
namespace {

constexpr const char* kSequencesExamples =
    "  bertprep sequences text.jsonl --vocab gpt2/tokenizer.json --for gpt2 -o blocks\n"
    "  bertprep sequences sharded/wikitext-2/*.txt --vocab bert-large-uncased \\\n"
    "      --for megatron-bert --name wikitext-2 -o megatron";

class SequencesCommand final : public Command {
 public:
  explicit SequencesCommand(CLI::App& self) : Command(self, kSequencesExamples) {
    add_argument("input", task_.inputs, "TEXT",
                 "text shards; or documents, such as JSON Lines, or formatted files, which are for training")
        ->required();
    add_option("--validation", task_.validation, "TEXT", OptionGroup::kInput,
               "documents or formatted files for the split of --test-split");
    add_option("-o,--output", task_.folder, "DIR", OptionGroup::kOutput, "folder for the set")->required();
    options().add(app(), task_.source,
                  {"format", "text-field", "query", "html", "encoding", "keep-gutenberg", "max-article", "strict"});
    options().add(app(), pipeline_.sentences);
    options().add(app(), pipeline_.corpus, {"name"});
    options().add(app(), pipeline_);
    options().add(app(), pipeline_.tokenizer);
    options().add(app(), task_.encoder);
    options().add(app(), task_.options);
    options().add(app(), pipeline_.work, {"threads", "memory", "force"});
    options().add(app(), array_);
    options().add_config_flags(app());
    show_first({"--output", "--for", "--vocab", "--to", "--max-tokens", "--blocks", "--threads", "--memory"});
  }

  int run(Console& console) override {
    validate(pipeline_.tokenizer);
    read_standard_input(task_.inputs, pipeline_.vocabulary, task_.folder, console);
    adopt_vocab_text(given_text(options().given()), pipeline_.vocabulary, pipeline_.tokenizer, console);
    task_.name = pipeline_.corpus.name;
    const ArrayPosition position = array_position(array_, std::getenv);
    if (position.beyond_list) {
      console.note("this task is beyond the end of the list: nothing to do");
      return kDone;
    }
    task_.array_task = position.task;
    task_.array_count = position.count;
    const TextEncoder encoder = TextEncoder::open(pipeline_.vocabulary, task_.encoder, pipeline_.tokenizer);
    refuse_ignored_options(options().given(), encoder);
    if (const Vocab* pieces = encoder.wordpiece()) {
      require_reachable_pieces(given_text(options().given()), pipeline_.vocabulary, *pieces, pipeline_.tokenizer,
                               console);
    }
    const SequenceReport report = make_sequences(task_, pipeline_, console);
    print_summary({&report.stage, 1}, console);
    if (position.count > 1) {
      console.note("when all tasks are done, the same command without an array completes the set");
    }
    print_splits(report.splits, report.options, console);
    return kDone;
  }

 private:
  ArrayOptions array_;
  SequenceTask task_;
  PipelineOptions pipeline_;
};

}  // namespace

std::unique_ptr<Command> make_sequences_command(CLI::App& self) {
  return std::make_unique<SequencesCommand>(self);
}

}  // namespace bertprep::cli
