#include <cstdio>

#include "bertprep/pipeline/stages.h"
#include "options/command.h"
#include "pipeline/array/array_job.h"
#include "pipeline/verify_paths.h"
#include "summary/summary.h"

namespace bertprep::cli {
namespace {

class VerifyCommand final : public Command {
 public:
  explicit VerifyCommand(CLI::App& self) : Command(self) {
    add_argument("folder", folders_, "PATH",
                 "folders of shards, sequences, text or vocabularies that a command wrote, or folders above them; or "
                 "single files of these");
    add_option("--work", work_folder_, "DIR", OptionGroup::kOutput,
               "also check the files between the stages (formatted text, text shards, files of array jobs) "
               "against their completion records; give the work folder of runs, or any folder above it");
    add_flag("--finish", finish_, OptionGroup::kArrayJobs,
             "first write manifest.json in folders that the tasks of an array have filled; while tasks are left, "
             "name what is missing and fail");
    options().add(app(), work_, {"threads"});
  }

  int run(Console& console) override {
    if (folders_.empty() && work_folder_.empty()) {
      throw ConfigError("no folder was given", {}, "give folders of shards, or a work folder with --work");
    }
    if (finish_) finish(console);
    std::uint64_t problems = work_folder_.empty() ? 0 : check_work(console);
    verify_paths(folders_, work_, console, [&](const VerifiedPath& verified) {
      say(verified, console);
      problems += verified.report.problems.size();
    });
    return problems == 0 ? kDone : kFailed;
  }

 private:
  std::uint64_t check_work(Console& console) {
    return say_files(work_folder_, "work", verify_work(work_folder_, work_, console), console);
  }

  static void say(const VerifiedPath& verified, Console& console) {
    const VerifyReport& report = verified.report;
    if (verified.kind == "files") {
      say_files(verified.path, "path", {report.shards, report.bytes, report.problems}, console);
    } else if (verified.has_manifest) {
      say_report(verified.path, report, verified.kind == "shards" ? "shard" : "file", console);
    } else {
      print(report.problems.front(), console);
    }
  }

  static std::uint64_t say_files(const std::filesystem::path& path, const char* kind, const WorkReport& report,
                                 Console& console) {
    for (const std::string& problem : report.problems) print(in_flags(problem), console);
    JsonEvent event("verified");
    event.text(kind, path.string()).number("files", report.files).number("bytes", report.bytes);
    console.print(event.number("problems", report.problems.size()));
    console.say(path.string() + ": " + counted(report.files, "file") + ", " + bytes_text(report.bytes) +
                verdict(report.problems));
    return report.problems.size();
  }

  void finish(Console& console) const {
    StageReport finished{.stage = "finish"};
    for (const auto& given : folders_) {
      for (const auto& folder : unfinished_shard_folders(given)) {
        for (DatasetReport& report : finish_shards(folder, console)) finished.data.push_back(std::move(report));
      }
    }
    print_data({&finished, 1}, console);
  }

  static void say_report(const std::filesystem::path& folder, const VerifyReport& report, std::string_view thing,
                         Console& console) {
    for (const std::string& problem : report.problems) print(in_flags(problem), console);
    JsonEvent event("verified");
    event.text("folder", folder.string()).number("shards", report.shards).number("rows", report.rows);
    console.print(event.number("bytes", report.bytes).number("problems", report.problems.size()));
    console.say(folder.string() + ": " + counted(report.shards, thing) + ", " + counted(report.rows, "row") + ", " +
                bytes_text(report.bytes) + verdict(report.problems));
  }

  static void print(const std::string& problem, const Console& console) {
    console.print(JsonEvent("problem").text("text", problem), problem);
  }

  static std::string verdict(const std::vector<std::string>& problems) {
    return problems.empty() ? ", sound" : ", " + counted(problems.size(), "problem");
  }

  std::vector<std::filesystem::path> folders_;
  std::filesystem::path work_folder_;
  bool finish_ = false;
  WorkOptions work_;
};

}  // namespace

extern const CommandEntry kVerifyCommand{"verify", make_command<VerifyCommand>};

}  // namespace bertprep::cli
