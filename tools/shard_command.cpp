#include "base/fields.h"
#include "console/console.h"
#include "options/command.h"
#include "summary/summary.h"

namespace bertprep::cli {
namespace {

constexpr const char* kShardExamples =
    "  bertprep shard wikitext-2.txt --name wikitext-2 --punkt punkt_tab/english \\\n"
    "      --train-shards 8 --test-shards 4 -o sharded/wikitext-2\n"
    "  bertprep shard articles.txt --name notes --sentences icu --train-shards 2 \\\n"
    "      --test-shards 1 -o sharded/notes";

class ShardCommand final : public Command {
 public:
  explicit ShardCommand(CLI::App& self) : Command(self, kShardExamples) {
    add_argument("input", task_.inputs, "FILE",
                 "formatted files, one article per line; with --sentences lines, one sentence per line; - is stdin",
                 Dash::kTaken)
        ->required();
    add_option("-o,--output", task_.folder, "DIR", OptionGroup::kOutput, "folder for the text shards")->required();
    options().add(app(), pipeline_.corpus, {"name"});
    options().add(app(), pipeline_.sentences);
    options().add(app(), pipeline_.sharding);
    options().add(app(), pipeline_.work, {"threads", "memory", "force"});
    options().add_config_flags(app());
    show_first({"--output", "--name", "--sentences", "--punkt", "--train-shards", "--test-shards", "--test-fraction",
                "--threads"});
  }

  int run(Console& console) override {
    task_.name = pipeline_.corpus.name;
    if (pipeline_.sentences.rules == SentenceRules::kAuto) pipeline_.sentences.rules = SentenceRules::kPunkt;
    pipeline_.validate_all();
    read_standard_input(task_.inputs, task_.folder, console);
    const StageReport report = shard_articles(task_, pipeline_, console);
    print_summary({&report, 1}, console);
    return kDone;
  }

 private:
  ShardTask task_;
  PipelineOptions pipeline_;
};

}  // namespace

std::unique_ptr<Command> make_shard_command(CLI::App& self) {
  return std::make_unique<ShardCommand>(self);
}

}  // namespace bertprep::cli
