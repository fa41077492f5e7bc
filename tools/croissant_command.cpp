#include <cstdio>

#include "base/fields.h"
#include "bertprep/base/error.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "console/console.h"
#include "console/json_event.h"
#include "console/standard_input.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "options/command.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/records/output_place.h"
#include "quality/croissant.h"

namespace bertprep::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCroissantExamples =
    "  bertprep croissant data/hdf5_dataset/hdf5_*_seq_len_128_*/wikitext-2\n"
    "  bertprep croissant shards --url https://example.org/shards --creator Example \\\n"
    "      --license https://example.org/license --date 2026-11-22";

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

// Trainers open every file with 'training' in its name and every .hdf5; other reserved names belong to the folder's own
// files.
void require_fitting_name(const fs::path& file) {
  const std::string name = file.filename().string();
  if (name.find("training") != std::string::npos) {
    throw ConfigError("-o " + file.string() + " has 'training' in its name: trainers would open it as a shard");
  }
  if (file.extension() != ".json" || name == Manifest::kFileName) {
    throw ConfigError("-o " + file.string() + " is not a name for the document", {},
                      "give one that ends in .json, but is not manifest.json");
  }
}

class CroissantCommand final : public Command {
 public:
  explicit CroissantCommand(CLI::App& self) : Command(self, kCroissantExamples) {
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
    const bool to_stdout = output_ == kDash;
    if (to_stdout && console.options().json) {
      throw ConfigError("-o - and --json both write to stdout", {}, "give -o a file");
    }
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
    if (console.options().json) {
      JsonEvent("described")
          .text("dataset", manifest.dataset)
          .text("file", file.string())
          .number("files", files.size())
          .number("rows", manifest.rows())
          .print();
    }
    if (!to_stdout) console.say(file.string() + ": describes " + counted(files.size(), "file"));
    return kDone;
  }

 private:
  // It may have been edited, or belong to another program.
  void write(const fs::path& file, const std::string& document) const {
    if (fs::exists(fs::symlink_status(file))) {
      if (!fs::is_regular_file(file)) throw FormatError("is not a file", file, "give -o another name");
      if (read_file(file) == document) return;
      if (!work_.force) {
        throw FormatError("exists with other content", file, "give --force to replace it, or -o another name");
      }
    }
    const OutputFolder folder(folder_of(file));
    folder.publish_small(file.filename().string(), document);
  }

  void note_missing_facts(Console& console) const {
    std::string missing;
    for (const auto& [option, value] : {std::pair{"--license", facts_.license},
                                        {"--url", facts_.url},
                                        {"--creator", facts_.creator},
                                        {"--date", facts_.date}}) {
      if (value.empty()) missing += (missing.empty() ? "" : ", ") + std::string(option);
    }
    if (!missing.empty()) console.note("Croissant 1.1 also asks for what these options give: " + missing);
  }

  fs::path folder_;
  fs::path output_;
  CroissantFacts facts_;
  WorkOptions work_;
};

}  // namespace

std::unique_ptr<Command> make_croissant_command(CLI::App& self) {
  return std::make_unique<CroissantCommand>(self);
}

}  // namespace bertprep::cli
