#include <cstdio>

#include "base/fields.h"
#include "bertprep/base/error.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "console/console.h"
#include "console/json_event.h"
#include "console/standard_input.h"
#include "io/input_file.h"
#include "options/amounts.h"
#include "options/command.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/records/output_place.h"
#include "report/html.h"
#include "report/report.h"

namespace bertprep::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kReportExamples =
    "  bertprep report data/hdf5_dataset -o report.html\n"
    "  bertprep report --vocab vocab.txt shards -o - >report.html";

// Trainers open every file with 'training' in its name.
void require_page_name(const fs::path& file) {
  if (file.filename().string().find("training") != std::string::npos) {
    throw ConfigError("-o " + file.string() + " has 'training' in its name: trainers would open it as a shard");
  }
  if (file.extension() != ".html" && file.extension() != ".htm") {
    throw ConfigError("-o " + file.string() + " is not a name for a page", {}, "give one that ends in .html");
  }
}

class ReportCommand final : public Command {
 public:
  explicit ReportCommand(CLI::App& self) : Command(self, kReportExamples) {
    show_first({"--output", "--rows", "--vocab", "--for", "--events"});
    add_argument("path", path_, "PATH",
                 "a folder of HDF5 files, one such file, an MDS or Megatron set, or a folder above up to " +
                     std::to_string(kMaxSets) + " of them")
        ->required();
    add_option("-o,--output", output_, "FILE", OptionGroup::kOutput,
               "the page to write, such as report.html; - is stdout", Dash::kTaken)
        ->required();
    add_option("--rows", rows_, "NUMBER", OptionGroup::kRows,
               "number of rows to show, evenly spread (default " + std::to_string(rows_) + ")")
        ->transform(within(0, kMaxRowsToRead));
    add_option("--vocab", vocab_, "VOCAB", OptionGroup::kText,
               "show the pieces of this vocabulary: a file, or a name that 'bertprep vocab list' shows (default: "
               "the one that the manifest beside the shards names, if found; else ids are shown)",
               Dash::kRefused);
    add_option("--for", trainers_, trainer_names(kRowTrainers), OptionGroup::kRows,
               "only findings that affect this trainer; may be given several times (default: all)");
    add_option("--world-size", ranks_, "NUMBER", OptionGroup::kRows, "number of training processes")
        ->transform(within(1, std::uint64_t{1} << 24U));
    add_option("--events", events_, "FILE", OptionGroup::kOutput,
               "show time and memory of each stage, from this file with the output of 'bertprep run --json'");
    options().add(app(), work_, {"force"});
  }

  int run(Console& console) override {
    const bool to_stdout = output_ == kDash;
    if (to_stdout && console.options().json) {
      throw ConfigError("-o - and --json both write to stdout", {}, "give -o a file");
    }
    if (!to_stdout) {
      require_output_file(output_);
      refuse_other_file();
    }
    ReportOptions options;
    options.rows = rows_;
    options.doctor.ranks = ranks_;
    for (const std::string& name : trainers_) options.doctor.trainers.push_back(trainer_of(name, kRowTrainers));
    if (!events_.empty()) options.stages = stages_of_events();
    options.vocab = vocab_;
    const std::vector<SetReport> sets = report_on(path_, options, console);
    const std::string page = report_page(sets);
    if (to_stdout) {
      std::fwrite(page.data(), 1, page.size(), stdout);
    } else {
      const OutputFolder folder = OutputFolder::of_file(output_);
      folder.publish_small(output_.filename().string(), page);
    }
    tell(sets, page.size(), console);
    return kDone;
  }

 private:
  static constexpr std::size_t kMaxRowsToRead = 100;

  std::vector<StageFigures> stages_of_events() const {
    std::vector<StageFigures> stages = stages_in(read_file(events_));
    if (!stages.empty()) return stages;
    throw FormatError("contains no event of a stage", events_, "give the output of 'bertprep run --json'");
  }

  // Replaces a page of this program; another file of this name may be the user's.
  void refuse_other_file() const {
    require_page_name(output_);
    if (!fs::exists(fs::symlink_status(output_))) return;
    if (!fs::is_regular_file(output_)) throw FormatError("is not a file", output_, "give -o another name");
    if (work_.force || read_file(output_).find(kPageGenerator) != std::string::npos) return;
    throw FormatError("exists, and bertprep did not make it", output_,
                      "give --force to replace it, or -o another name");
  }

  void tell(const std::vector<SetReport>& sets, std::size_t bytes, Console& console) const {
    for (const SetReport& set : sets) {
      const std::uint64_t warnings = set.manifest ? set.manifest->warnings.size() : 0;
      if (console.options().json) {
        JsonEvent("reported")
            .text("path", set.diagnosis.path.string())
            .text("file", output_.string())
            .number("rows", set.figures.rows())
            .number("warnings", warnings)
            .number("findings", set.diagnosis.serious())
            .number("remarks", set.diagnosis.findings.size() - set.diagnosis.serious())
            .print();
      }
      console.say(set.diagnosis.path.string() + ": " + counted(set.figures.rows(), "row") + ", " +
                  counted(warnings, "warning") + ", " + counted(set.diagnosis.serious(), "finding"));
    }
    if (output_ != kDash) console.say(output_.string() + ": " + bytes_text(bytes));
  }

  fs::path path_;
  fs::path output_;
  std::size_t rows_ = ReportOptions{}.rows;
  std::string vocab_;
  std::vector<std::string> trainers_;
  std::uint64_t ranks_ = 0;
  fs::path events_;
  WorkOptions work_;
};

}  // namespace

std::unique_ptr<Command> make_report_command(CLI::App& self) {
  return std::make_unique<ReportCommand>(self);
}

}  // namespace bertprep::cli
