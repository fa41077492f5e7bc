#include <cstdlib>

#include "base/fields.h"
#include "batch/array_position.h"
#include "bertprep/token/text_encoder.h"
#include "console/console.h"
#include "options/command.h"
#include "pipeline/records/dataset_vocab.h"
#include "pipeline/stages/loaded_stages.h"
#include "summary/summary.h"

namespace bertprep::cli {
namespace {

constexpr const char* kInstancesExamples =
    "  bertprep instances sharded/wikitext-2/*.txt --vocab bert-large-uncased \\\n"
    "      -o hdf5/phase1\n"
    "  bertprep instances sharded/wikitext-2/*.txt --vocab bert-large-uncased \\\n"
    "      --seq-len 512 --max-predictions 80 -o hdf5/phase2";

class InstancesCommand final : public Command {
 public:
  explicit InstancesCommand(CLI::App& self) : Command(self, kInstancesExamples) {
    pipeline_.corpus.phase = Phase::kCustom;
    pipeline_.instances = InstanceOptions();
    add_argument("input", task_.text_shards, "TEXT_SHARD", "text shards; X.txt becomes X.hdf5")->required();
    add_option("-o,--output", folder_, "DIR", OptionGroup::kOutput, "folder for the shards and their manifest.json")
        ->required();
    options().add(app(), pipeline_.corpus, {"name"});
    options().add(app(), pipeline_);
    options().add(app(), pipeline_.tokenizer);
    options().add(app(), pipeline_.instances);
    options().add(app(), pipeline_.layout);
    options().add(app(), pipeline_.work, {"threads", "memory", "force"});
    options().add(app(), array_);
    add_strict_data(app(), strict_data_);
    options().add_config_flags(app());
    show_first({"--output", "--vocab", "--lower-case", "--seq-len", "--max-predictions", "--masked-lm-prob",
                "--dupe-factor", "--random-seed", "--threads", "--memory"});
  }

  int run(Console& console) override {
    pipeline_.validate_all();
    read_standard_input(task_.text_shards, pipeline_.vocabulary, folder_, console);
    adopt_vocab_text(given_text(options().given()), pipeline_.vocabulary, pipeline_.tokenizer, console);
    task_.name = pipeline_.corpus.name;
    task_.phases = {{pipeline_.instances, folder_}};
    const ArrayPosition position = array_position(array_, std::getenv);
    if (position.beyond_list) {
      console.note("this task is beyond the end of the list: nothing to do");
      return kDone;
    }
    if (!is_byte_pair_path(pipeline_.vocabulary)) {
      require_reachable_pieces(given_text(options().given()), pipeline_.vocabulary, load_vocab(pipeline_.vocabulary),
                               pipeline_.tokenizer, console);
    }
    if (position.count > 1) say_share(position, console);
    task_.share.task = position.task;
    task_.share.count = position.count;
    const StageReport report = make_instances(task_, pipeline_, console);
    print_summary({&report, 1}, console);
    print_data({&report, 1}, console);
    return status_for_data({&report, 1}, strict_data_, kDone);
  }

 private:
  void say_share(const ArrayPosition& position, Console& console) const {
    const std::size_t files = task_.text_shards.size();
    const std::size_t mine = position.task < files ? (files - position.task - 1) / position.count + 1 : 0;
    const std::string found_by = position.engine.empty() ? "" : ", from the variables of " + position.engine;
    console.note("task " + std::to_string(position.task) + " of " + std::to_string(position.count) + found_by + ": " +
                 grouped(mine) + " of " + counted(files, "text shard") +
                 "; when all tasks are done, 'bertprep verify --finish' writes manifest.json");
  }

  ArrayOptions array_;
  InstanceStep task_;
  std::filesystem::path folder_;
  PipelineOptions pipeline_;
  bool strict_data_ = false;
};

}  // namespace

std::unique_ptr<Command> make_instances_command(CLI::App& self) {
  return std::make_unique<InstancesCommand>(self);
}

}  // namespace bertprep::cli
