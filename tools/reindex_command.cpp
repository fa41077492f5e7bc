#include "base/number_text.h"
#include "console/console.h"
#include "console/json_event.h"
#include "options/command.h"
#include "pipeline/sequences/reindex.h"

namespace bertprep::cli {
namespace {

constexpr const char* kReindexExamples =
    "  bertprep reindex mds/train\n"
    "  bertprep reindex megatron/wikitext-2_train_text_sentence";

class ReindexCommand final : public Command {
 public:
  explicit ReindexCommand(CLI::App& self) : Command(self, kReindexExamples) {
    add_argument("path", path_, "PATH", "a folder with shards of MDS, in it or below it; or PREFIX of PREFIX.bin")
        ->required();
  }

  int run(Console& console) override {
    const ReindexReport report = reindex(path_, console);
    if (console.options().json) {
      JsonEvent("reindexed")
          .text("index", report.index.string())
          .flag("is_new", report.is_new)
          .number("files", report.files)
          .number("sequences", report.sequences)
          .print();
    }
    console.say(report.index.string() + ": " + counted(report.sequences, "sequence") +
                (report.is_new ? ", written" : ", was already right"));
    return kDone;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace

std::unique_ptr<Command> make_reindex_command(CLI::App& self) {
  return std::make_unique<ReindexCommand>(self);
}

}  // namespace bertprep::cli
