#include <cstdio>

#include "bertprep/fetch/fetch.h"
#include "options/command.h"
#include "pipeline/run_source.h"

namespace bertprep::cli {
namespace {

constexpr std::string_view kPunkt = "punkt";

// "english" of punkt, "german" of punkt_german; empty for datasets.
std::string punkt_language(const std::string& name) {
  if (name == kPunkt) return "english";
  const std::string prefix = std::string(kPunkt) + "_";
  return name.starts_with(prefix) ? name.substr(prefix.size()) : "";
}

// Share of the time for a dataset; the rest is for unpacking.
constexpr double kDownloadShare = 0.9;

class FetchCommand final : public Command {
 public:
  explicit FetchCommand(CLI::App& self) : Command(self) {
    add_argument("dataset", names_, "DATASET",
                 "names that --list shows, or punkt, punkt_german ...; addresses, as --input of 'bertprep run' takes",
                 Dash::kInput);
    add_option("--folder", folder_, "DIR", OptionGroup::kOutput,
               "downloads go to DIR/DATASET (default $BERT_PREP_WORKING_DIR/download, else bertprep-work/download)");
    add_flag("--list", list_, OptionGroup::kInput,
             "show what is known about the given datasets, or about all, and exit");
    options().add(app(), fetch_);
  }

  int run(Console& console) override {
    if (list_) return list(console);
    if (names_.empty()) throw ConfigError("no dataset is given", {}, "bertprep fetch --list shows all datasets");
    if (!fetch_.from_file.empty() && names_.size() != 1) {
      throw ConfigError("--from-file takes one dataset", {}, "fetch them one at a time");
    }
    if (folder_.empty()) folder_ = download_folder();
    std::vector<ExpectedSpan> spans;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      spans.push_back({"download", kDownloadShare, true});
      spans.push_back({"unpack", 1 - kDownloadShare});
    }
    console.expect(spans);
    for (const std::string& name : names_) fetch(name, console);
    return kDone;
  }

 private:
  void fetch(const std::string& name, Console& console) {
    if (const std::string language = punkt_language(name); !language.empty()) {
      print(name, "punkt", fetch_punkt(language, folder_, fetch_, console), console);
      return;
    }
    if (is_address(name)) {
      const std::array inputs{std::filesystem::path(name)};
      for (const auto& file : fetch_inputs(inputs, folder_, fetch_, console).files) {
        print(shown_address(name), "auto", file, console);
      }
      return;
    }
    const FetchedDataset dataset = fetch_dataset(name, folder_, fetch_, console);
    for (const FetchedPart& part : dataset.parts) {
      for (const auto& file : part.files) print(dataset.name, part.format, file, console);
    }
  }

  static void print(const std::string& dataset, const std::string& format, const std::filesystem::path& file,
                    const Console& console) {
    console.print(JsonEvent("fetched").text("dataset", dataset).text("format", format).text("file", file.string()),
                  file.string());
  }

  int list(Console& console) {
    std::vector<DatasetFacts> all;
    if (names_.empty()) all = known_datasets(fetch_);
    for (const std::string& name : names_) all.push_back(describe_dataset(name, fetch_, console));
    for (const DatasetFacts& facts : all) {
      JsonEvent event("known_dataset");
      event.text("dataset", facts.name).text("title", facts.title).text("licence", facts.licence);
      event.number("download_bytes", facts.download_bytes).number("text_bytes", facts.text_bytes);
      event.number("articles", facts.articles);
      const std::string size = facts.download_bytes == 0 ? "size unknown" : bytes_text(facts.download_bytes);
      console.print(event, facts.name + "\t" + size + "\t" + facts.title + "\t" + facts.licence);
    }
    return kDone;
  }

  std::vector<std::string> names_;
  std::filesystem::path folder_;
  FetchOptions fetch_;
  bool list_ = false;
};

}  // namespace

extern const CommandEntry kFetchCommand{"fetch", make_command<FetchCommand>};

}  // namespace bertprep::cli
