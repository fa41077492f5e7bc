#include "base/fields.h"
#include "console/console.h"
#include "console/json_event.h"
#include "options/command.h"
#include "pipeline/reshard/reshard.h"

namespace bertprep::cli {
namespace {

constexpr const char* kReshardExamples =
    "  bertprep reshard shards --shards 128 --equal-rows drop -o shards-128\n"
    "  bertprep reshard shards --shuffle-seed 1 -o shards-shuffled";

class ReshardCommand final : public Command {
 public:
  explicit ReshardCommand(CLI::App& self) : Command(self, kReshardExamples) {
    add_argument("folder", task_.input, "DIR", "a folder of shards, ours or another tool's")->required();
    add_option("-o,--output", task_.output, "DIR", OptionGroup::kOutput,
               "folder for the new shards and their manifest.json")
        ->required();
    add_option("--name", task_.name, "NAME", OptionGroup::kOutput, "name of the dataset (default that of the input)");
    options().add(app(), task_.options);
    options().add(app(), task_.layout);
    options().add(app(), task_.work, {"threads", "force"});
    show_first({"--output", "--name", "--shards", "--test-shards", "--shuffle-seed", "--equal-rows",
                "--rows-multiple-of", "--threads"});
  }

  int run(Console& console) override {
    const ReshardReport report = reshard(task_, console);
    if (console.options().json) {
      JsonEvent("resharded")
          .text("dataset", report.name)
          .number("training_shards", report.training_shards)
          .number("test_shards", report.test_shards)
          .number("training_rows", report.training_rows)
          .number("test_rows", report.test_rows)
          .number("rows_dropped", report.dropped)
          .number("rows_repeated", report.repeated)
          .number("tasks_made", report.made)
          .number("tasks_found", report.found)
          .print();
    }
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

}  // namespace

std::unique_ptr<Command> make_reshard_command(CLI::App& self) {
  return std::make_unique<ReshardCommand>(self);
}

}  // namespace bertprep::cli
