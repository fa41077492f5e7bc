#include <cstdio>
#include <map>
#include <set>

#include "base/fields.h"
#include "bertprep/base/error.h"
#include "bertprep/pipeline/stages.h"
#include "console/console.h"
#include "console/json_event.h"
#include "io/folder.h"
#include "options/amounts.h"
#include "options/command.h"
#include "pipeline/array/array_job.h"
#include "pipeline/explain/shard_files.h"
#include "pipeline/sequences/sequence_manifest.h"
#include "shard/shard_names.h"
#include "shard/token_set.h"
#include "summary/summary.h"

namespace bertprep::cli {
namespace {

constexpr const char* kVerifyExamples =
    "  bertprep verify data/hdf5_dataset\n"
    "  bertprep verify --work data/bertprep-work\n"
    "  bertprep verify -j 2 data/hdf5_dataset/hdf5_*_seq_len_128_*/wikitext-2\n"
    "  bertprep verify articles.txt my-vocab.txt";

class VerifyCommand final : public Command {
 public:
  explicit VerifyCommand(CLI::App& self) : Command(self, kVerifyExamples) {
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
    problems += check_results(console);
    for (const std::filesystem::path& folder : sequence_sets()) {
      problems += say_report(folder, verify_sequences(folder, console), "file", console);
    }
    problems += report_unfinished_sets(console);
    const std::map<std::filesystem::path, std::size_t> folders = shard_folders();
    std::vector<ExpectedSpan> spans;
    for (const auto& [folder, shards] : folders) spans.push_back({"verify", static_cast<double>(shards)});
    console.expect(spans);
    for (const auto& [folder, shards] : folders) {
      problems += say_report(folder, verify_shards(folder, work_, console), "shard", console);
    }
    return problems == 0 ? kDone : kFailed;
  }

 private:
  std::uint64_t check_work(Console& console) {
    return say_files(work_folder_, "work", verify_work(work_folder_, work_, console), console);
  }

  // Text and vocabularies.
  std::uint64_t check_results(Console& console) {
    std::uint64_t problems = 0;
    for (const std::filesystem::path& given : folders_) {
      const WorkReport report = verify_results(given, work_, console);
      if (report.files == 0 && report.problems.empty()) continue;
      with_results_.insert(given);
      problems += say_files(given, "path", report, console);
    }
    return problems;
  }

  static std::uint64_t say_files(const std::filesystem::path& path, const char* kind, const WorkReport& report,
                                 Console& console) {
    for (const std::string& problem : report.problems) print(in_flags(problem), console);
    if (console.options().json) {
      JsonEvent("verified")
          .text(kind, path.string())
          .number("files", report.files)
          .number("bytes", report.bytes)
          .number("problems", report.problems.size())
          .print();
    }
    console.say(path.string() + ": " + counted(report.files, "file") + ", " + bytes_text(report.bytes) +
                (report.problems.empty() ? ", sound" : ", " + counted(report.problems.size(), "problem")));
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

  // Returns the number of problems.
  static std::uint64_t say_report(const std::filesystem::path& folder, const VerifyReport& report,
                                  std::string_view thing, Console& console) {
    for (const std::string& problem : report.problems) print(in_flags(problem), console);
    if (console.options().json) print_event(folder, report);
    console.say(folder.string() + ": " + counted(report.shards, thing) + ", " + counted(report.rows, "row") + ", " +
                bytes_text(report.bytes) +
                (report.problems.empty() ? ", sound" : ", " + counted(report.problems.size(), "problem")));
    return report.problems.size();
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

  // The sets at or below a folder.
  static std::set<std::filesystem::path> sequence_sets_of(const std::filesystem::path& folder) {
    if (is_sequence_set(folder)) return {folder};
    std::set<std::filesystem::path> sets;
    if (!std::filesystem::is_directory(folder)) return sets;
    walk_folder(folder, [&](const std::filesystem::directory_entry& entry) {
      if (is_hidden(entry.path())) return false;
      const bool is_set = is_sequence_set(entry.path());
      if (is_set) sets.insert(entry.path());
      return !is_set;
    });
    return sets;
  }

  std::set<std::filesystem::path> sequence_sets() const {
    std::set<std::filesystem::path> sets;
    for (const auto& given : folders_) sets.merge(sequence_sets_of(given));
    return sets;
  }

  // Ours; and others, where nothing else is given to check.
  std::uint64_t report_unfinished_sets(Console& console) {
    std::uint64_t problems = 0;
    for (const auto& given : folders_) {
      const bool is_alone =
          !with_results_.contains(given) && sequence_sets_of(given).empty() && shard_files_if_any(given).empty();
      for (const SetWithoutManifest& set : sets_without_manifest(given)) {
        if (!set.is_ours && !is_alone) continue;
        with_results_.insert(given);
        print(
            set.folder.string() +
                (set.is_ours ? ": is unfinished: it has no manifest.json; run its command again"
                             : ": has no manifest.json: it is unfinished, or another program's, which bertprep doctor "
                               "checks"),
            console);
        ++problems;
      }
    }
    return problems;
  }

  // Without a record, only shards are checked: beside another file, they would count for it.
  static void refuse_other_file(const std::filesystem::path& given) {
    throw FormatError(
        "is not a shard: its name ends neither in .hdf5 nor in .h5; and no command's completion record "
        "names it",
        given, "give the folder of shards");
  }

  // Folders with the number of their shards.
  std::map<std::filesystem::path, std::size_t> shard_folders() const {
    std::map<std::filesystem::path, std::size_t> folders;
    for (const auto& given : folders_) {
      const bool is_known = with_results_.contains(given);
      if (std::filesystem::is_regular_file(given) && !is_shard_name(given)) {
        if (!is_known) refuse_other_file(given);
        continue;
      }
      const std::set<std::filesystem::path> sets = sequence_sets_of(given);
      for (const ShardFile& file : sets.empty() && !is_known ? shard_files(given) : shard_files_if_any(given)) {
        if (const auto folder = folder_of(file.path); !sets.contains(folder)) ++folders[folder];
      }
    }
    return folders;
  }

  std::vector<std::filesystem::path> folders_;
  std::set<std::filesystem::path> with_results_;  // of these
  std::filesystem::path work_folder_;
  bool finish_ = false;
  WorkOptions work_;
};

}  // namespace

std::unique_ptr<Command> make_verify_command(CLI::App& self) {
  return std::make_unique<VerifyCommand>(self);
}

}  // namespace bertprep::cli
