// Sets made of sets: reshard, reindex.
#include "options/command.h"
#include "pipeline/reshard/reshard.h"
#include "pipeline/sequences/reindex.h"

namespace bertprep::cli {
namespace {

class ReshardCommand final : public Command {
 public:
  explicit ReshardCommand(CLI::App& self) : Command(self) {
    add_argument("folder", task_.input, "DIR", "a folder of shards, ours or another tool's")->required();
    add_option("-o,--output", task_.output, "DIR", OptionGroup::kOutput,
               "folder for the new shards and their manifest.json")
        ->required();
    add_option("--name", task_.name, "NAME", OptionGroup::kOutput, "name of the dataset (default that of the input)");
    options().add_all(app(), task_.options, task_.layout);
    options().add(app(), task_.work, {"threads", "force"});
  }

  int run(Console& console) override {
    const ReshardReport report = reshard(task_, console);
    JsonEvent event("resharded");
    event.text("dataset", report.name).number("training_shards", report.training_shards);
    event.number("test_shards", report.test_shards).number("training_rows", report.training_rows);
    event.number("test_rows", report.test_rows).number("rows_dropped", report.dropped);
    event.number("rows_repeated", report.repeated).number("tasks_made", report.made);
    console.print(event.number("tasks_found", report.found));
    std::string text = task_.output.string() + ": " + counted(report.training_shards, "training shard") + " with " +
                       counted(report.training_rows, "row");
    if (report.test_shards > 0) {
      text += ", " + counted(report.test_shards, "test shard") + " with " + grouped(report.test_rows);
    }
    if (report.dropped > 0) text += ", " + counted(report.dropped, "row") + " dropped";
    if (report.repeated > 0) text += ", " + counted(report.repeated, "row") + " repeated";
    if (report.made == 0) text += ", all found";
    console.say(text);
    return kDone;
  }

 private:
  ReshardTask task_;
};

class ReindexCommand final : public Command {
 public:
  explicit ReindexCommand(CLI::App& self) : Command(self) {
    add_argument("path", path_, "PATH", "a folder with shards of MDS, in it or below it; or PREFIX of PREFIX.bin")
        ->required();
  }

  int run(Console& console) override {
    const ReindexReport report = reindex(path_, console);
    JsonEvent event("reindexed");
    event.text("index", report.index.string()).flag("is_new", report.is_new);
    console.print(event.number("files", report.files).number("sequences", report.sequences));
    console.say(report.index.string() + ": " + counted(report.sequences, "sequence") +
                (report.is_new ? ", written" : ", was already right"));
    return kDone;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace

extern const CommandEntry kReshardCommand{"reshard", make_command<ReshardCommand>};
extern const CommandEntry kReindexCommand{"reindex", make_command<ReindexCommand>};

}  // namespace bertprep::cli
