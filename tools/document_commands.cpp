// One document about finished sets, for people or for programs: report, croissant.
#include <cstdio>

#include "bertprep/pipeline/pipeline_options.h"
#include "console/standard_input.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "options/command.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/records/output_place.h"
#include "quality/croissant.h"
#include "report/html.h"
#include "report/report.h"

namespace bertprep::cli {
namespace {

namespace fs = std::filesystem;

bool goes_to_stdout(const fs::path& output, const Console& console) {
  if (output != kDash) return false;
  if (!console.options().json) return true;
  throw ConfigError("-o - and --json both write to stdout", {}, "give -o a file");
}

// Trainers open every file with 'training' in its name.
void refuse_name_of_shard(const fs::path& file) {
  if (file.filename().string().find("training") == std::string::npos) return;
  throw ConfigError("-o " + file.string() + " has 'training' in its name: trainers would open it as a shard");
}

void require_page_name(const fs::path& file) {
  refuse_name_of_shard(file);
  if (file.extension() != ".html" && file.extension() != ".htm") {
    throw ConfigError("-o " + file.string() + " is not a name for a page", {}, "give one that ends in .html");
  }
}

bool exists_as_file(const fs::path& file) {
  if (!fs::exists(fs::symlink_status(file))) return false;
  if (fs::is_regular_file(file)) return true;
  throw FormatError("is not a file", file, "give -o another name");
}

class ReportCommand final : public Command {
 public:
  explicit ReportCommand(CLI::App& self) : Command(self) {
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
    const bool to_stdout = goes_to_stdout(output_, console);
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
    if (!exists_as_file(output_) || work_.force || read_file(output_).find(kPageGenerator) != std::string::npos) return;
    throw FormatError("exists, and bertprep did not make it", output_,
                      "give --force to replace it, or -o another name");
  }

  void tell(const std::vector<SetReport>& sets, std::size_t bytes, Console& console) const {
    for (const SetReport& set : sets) {
      const std::uint64_t warnings = set.manifest ? set.manifest->warnings.size() : 0;
      JsonEvent event("reported");
      event.text("path", set.diagnosis.path.string()).text("file", output_.string());
      event.number("rows", set.figures.rows()).number("warnings", warnings);
      event.number("findings", set.diagnosis.serious());
      console.print(event.number("remarks", set.diagnosis.findings.size() - set.diagnosis.serious()));
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

Manifest manifest_of(const fs::path& folder) {
  const fs::path file = folder / Manifest::kFileName;
  if (fs::is_regular_file(folder)) {
    throw FormatError("is not a folder", folder, "give the folder of one finished dataset in one phase");
  }
  if (fs::is_directory(folder) && !fs::exists(file)) {
    throw FormatError("contains no manifest.json", folder,
                      "give the folder of one finished dataset in one phase; bertprep reshard makes one of another "
                      "tool's shards");
  }
  return Manifest::load(file);
}

// Trainers open every .hdf5, too; other reserved names belong to the folder's own files.
void require_fitting_name(const fs::path& file) {
  refuse_name_of_shard(file);
  if (file.extension() != ".json" || file.filename() == Manifest::kFileName) {
    throw ConfigError("-o " + file.string() + " is not a name for the document", {},
                      "give one that ends in .json, but is not manifest.json");
  }
}

class CroissantCommand final : public Command {
 public:
  explicit CroissantCommand(CLI::App& self) : Command(self) {
    add_argument("folder", folder_, "DIR", "the folder of one dataset, with its manifest.json")->required();
    add_option("-o,--output", output_, "FILE", OptionGroup::kOutput,
               "the file to write; - is stdout (default croissant.json in DIR)", Dash::kTaken);
    add_option("--license", facts_.license, "URL", OptionGroup::kOutput, "the license, as a URL");
    add_option("--url", facts_.url, "URL", OptionGroup::kOutput, "the page of the dataset");
    add_option("--creator", facts_.creator, "NAME", OptionGroup::kOutput,
               "the organization that publishes the dataset");
    add_option("--date", facts_.date, "YYYY-MM-DD", OptionGroup::kOutput, "date of publication");
    add_option("--description", facts_.description, "TEXT", OptionGroup::kOutput,
               "what the dataset is (default: the kind, lengths and number of its rows)");
    options().add(app(), work_, {"force"});
  }

  int run(Console& console) override {
    validate(facts_);
    const bool to_stdout = goes_to_stdout(output_, console);
    const fs::path file = output_.empty() ? folder_ / kCroissantFileName : output_;
    if (!to_stdout) require_fitting_name(file);
    const Manifest manifest = manifest_of(folder_);
    if (!to_stdout) require_output_file(file);
    const std::vector<PublishedFile> files = published_files(folder_, manifest, console);
    const std::string document = croissant_json(manifest, files, facts_);
    if (to_stdout) {
      std::fwrite(document.data(), 1, document.size(), stdout);
    } else {
      write(file, document);
    }
    note_missing_facts(console);
    JsonEvent event("described");
    event.text("dataset", manifest.dataset).text("file", file.string());
    console.print(event.number("files", files.size()).number("rows", manifest.rows()));
    if (!to_stdout) console.say(file.string() + ": describes " + counted(files.size(), "file"));
    return kDone;
  }

 private:
  // It may have been edited, or belong to another program.
  void write(const fs::path& file, const std::string& document) const {
    if (exists_as_file(file)) {
      if (read_file(file) == document) return;
      if (!work_.force) {
        throw FormatError("exists with other content", file, "give --force to replace it, or -o another name");
      }
    }
    const OutputFolder folder(folder_of(file));
    folder.publish_small(file.filename().string(), document);
  }

  void note_missing_facts(Console& console) const {
    std::vector<std::string> missing;
    if (facts_.license.empty()) missing.emplace_back("--license");
    if (facts_.url.empty()) missing.emplace_back("--url");
    if (facts_.creator.empty()) missing.emplace_back("--creator");
    if (facts_.date.empty()) missing.emplace_back("--date");
    if (!missing.empty()) console.note("Croissant 1.1 also asks for what these options give: " + joined(missing));
  }

  fs::path folder_;
  fs::path output_;
  CroissantFacts facts_;
  WorkOptions work_;
};

}  // namespace

extern const CommandEntry kReportCommand{"report", make_command<ReportCommand>};
extern const CommandEntry kCroissantCommand{"croissant", make_command<CroissantCommand>};

}  // namespace bertprep::cli
