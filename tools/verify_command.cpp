#include <cstdio>
#include <map>

#include "amounts.h"
#include "bertprep/pipeline/array.h"
#include "bertprep/pipeline/stages.h"
#include "command.h"
#include "exit_status.h"
#include "json_event.h"
#include "shard_files.h"

namespace bertprep::cli {
namespace {

constexpr const char* kExamples =
    "  bertprep verify data/hdf5_dataset\n"
    "  bertprep verify -j 2 data/hdf5_dataset/hdf5_lower_case_1_seq_len_128_*/wikitext-2";

class VerifyCommand final : public Command {
 public:
  explicit VerifyCommand(CLI::App& parent)
      : Command(parent, "verify", "Check shards: manifest, digests, schema, and the rules every row keeps", kExamples) {
    app().add_option("folder", folders_, "folders of shards, or folders above such")->required()->type_name("DIR");
    app()
        .add_flag("--finish", finish_,
                  "first write manifest.json of folders that tasks of an array have filled; fails, naming what is "
                  "missing, while tasks are left")
        ->group(heading(OptionGroup::kArrayJobs));
    options().add(app(), work_, {"threads"});
  }

  int run(Console& console) override {
    if (finish_) finish(console);
    std::uint64_t problems = 0;
    const std::map<std::filesystem::path, std::size_t> folders = shard_folders();
    std::vector<ExpectedStretch> stretches;
    for (const auto& [folder, shards] : folders) stretches.push_back({"verify", static_cast<double>(shards)});
    console.expect(stretches);
    for (const auto& [folder, shards] : folders) {
      const VerifyReport report = verify_shards(folder, work_, console);
      for (const std::string& problem : report.problems) print(problem, console);
      problems += report.problems.size();
      if (console.options().json) print_event(folder, report);
      console.say(folder.string() + ": " + counted(report.shards, "shard") + ", " + counted(report.rows, "row") + ", " +
                  bytes_text(report.bytes) +
                  (report.problems.empty() ? ", sound" : ", " + counted(report.problems.size(), "problem")));
    }
    return problems == 0 ? kDone : kFailed;
  }

 private:
  void finish(Console& console) const {
    for (const auto& given : folders_) {
      for (const auto& folder : unfinished_shard_folders(given)) finish_shards(folder, console);
    }
  }

  static void print_event(const std::filesystem::path& folder, const VerifyReport& report) {
    JsonEvent("verified")
        .text("folder", folder.string())
        .number("shards", report.shards)
        .number("rows", report.rows)
        .number("bytes", report.bytes)
        .number("problems", report.problems.size())
        .print();
  }
  static void print(const std::string& problem, const Console& console) {
    if (console.options().json) {
      JsonEvent("problem").text("text", problem).print();
    } else {
      std::printf("%s\n", problem.c_str());
      std::fflush(stdout);
    }
  }

  // With the number of their shards.
  std::map<std::filesystem::path, std::size_t> shard_folders() const {
    std::map<std::filesystem::path, std::size_t> folders;
    for (const auto& given : folders_) {
      for (const ShardFile& file : shard_files(given)) ++folders[file.path.parent_path()];
    }
    return folders;
  }

  std::vector<std::filesystem::path> folders_;
  bool finish_ = false;
  WorkOptions work_;
};

}  // namespace

std::unique_ptr<Command> make_verify_command(CLI::App& parent) {
  return std::make_unique<VerifyCommand>(parent);
}

}  // namespace bertprep::cli
