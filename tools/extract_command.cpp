#include <cstdio>

#include "base/fields.h"
#include "bertprep/base/error.h"
#include "bertprep/pipeline/stages.h"
#include "console/console.h"
#include "options/command.h"
#include "pipeline/run_source.h"
#include "summary/summary.h"

namespace bertprep::cli {
namespace {

constexpr const char* kExtractExamples =
    "  bertprep extract enwiki-20260101-pages-articles.xml.bz2 -o extracted\n"
    "  bertprep extract enwiki-20260101-pages-articles-multistream.xml.bz2 \\\n"
    "      --page Anarchism";

class ExtractCommand final : public Command {
 public:
  explicit ExtractCommand(CLI::App& self) : Command(self, kExtractExamples) {
    const std::string output = heading(OptionGroup::kOutput);
    add_argument("dump", task_.dumps, "PATH",
                 "dumps, folders of dumps or addresses, in order: XML, plain or compressed; - is stdin", Dash::kInput)
        ->required();
    add_option("-o,--output", task_.folder, "DIR", OptionGroup::kOutput, "folder to write AA/wiki_00 ... into");
    add_option("--page", page_, "TITLE", OptionGroup::kInput, "write the page with this title or id to stdout instead");
    add_option("--index", index_, "FILE", OptionGroup::kInput,
               "with --page: the index of a multistream dump (default: the one beside the dump)");
    add_max_rejects(app(), max_rejects_);
    options().add(app(), task_.files);
    options().add(app(), task_.wiki);
    options().add(app(), task_.source, {"strict"});
    options().add(app(), work_, {"threads", "force"});
    options().add(app(), fetch_, kAddressOptions);
    options().add_config_flags(app());
    show_first({"--output", "--bytes", "--page", "--no-templates", "--templates", "--clock", "--clean", "--report",
                "--max-rejects", "--threads", "--force"});
  }

  int run(Console& console) override {
    if (page_.empty() && task_.folder.empty()) {
      throw ConfigError("--output is required", {}, "give an output folder, or a page with --page");
    }
    read_standard_input(task_.dumps, page_.empty() ? task_.folder : std::filesystem::temp_directory_path(), console);
    if (!page_.empty() && !task_.wiki.report.empty()) {
      throw ConfigError("--report and --page exclude each other", {}, "leave out --report, or extract whole dumps");
    }
    fetch_addresses(task_.dumps, task_.source, fetch_, options().given(), console);
    if (!page_.empty()) return show_page(console);
    const StageReport report = extract_articles(task_, work_, console);
    print_summary({&report, 1}, console);
    return status_for_rejects(report, max_rejects_, console);
  }

 private:
  int show_page(Console& console) const {
    const std::string doc = extract_page(task_, page_, index_, work_, console);
    std::fwrite(doc.data(), 1, doc.size(), stdout);
    return kDone;
  }

  ExtractTask task_;
  std::string page_;
  std::filesystem::path index_;
  WorkOptions work_;
  FetchOptions fetch_;
  std::int64_t max_rejects_ = -1;
};

}  // namespace

std::unique_ptr<Command> make_extract_command(CLI::App& self) {
  return std::make_unique<ExtractCommand>(self);
}

}  // namespace bertprep::cli
