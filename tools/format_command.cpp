#include <filesystem>
#include <string>

#include "base/fields.h"
#include "bertprep/base/error.h"
#include "options/command.h"
#include "pipeline/ignored_options.h"
#include "pipeline/run_source.h"
#include "summary/summary.h"

namespace bertprep::cli {
namespace {

constexpr const char* kFormatExamples =
    "  bertprep format wiki.train.raw wiki.valid.raw --format wikitext -o wiki.txt\n"
    "  zcat crawl/*.gz | bertprep format - --format jsonl --text-field content.text \\\n"
    "      --max-rejects 100 -o crawl.txt";

bool names_json_lines(const std::filesystem::path& file) {
  return (file.extension() == ".zst" ? file.stem() : file).extension() == ".jsonl";
}

class FormatCommand final : public Command {
 public:
  explicit FormatCommand(CLI::App& self) : Command(self, kFormatExamples) {
    add_argument("input", part().inputs, "PATH",
                 "files, folders or addresses (https, hf, s3) with the text, in order; - is stdin", Dash::kInput)
        ->required();
    add_option("-o,--output", task_.file, "FILE", OptionGroup::kOutput,
               "file to write, one article per line; compressed if its name ends in .zst")
        ->required();
    add_option("--text", text_, "one-line|as-is", OptionGroup::kText,
               "each article as one line, or its text as it is, for token sequences: JSON Lines with a document per "
               "line, in a file .jsonl (default " +
                   text_ + ")")
        ->check(CLI::Validator(CLI::IsMember({"one-line", "as-is"})).description(""));
    add_max_rejects(app(), max_rejects_);
    options().add(app(), part().source);
    options().add(app(), part().wiki);
    options().add(app(), work_, {"threads", "memory", "force"});
    options().add(app(), fetch_, kAddressOptions);
    options().add_config_flags(app());
    show_first({"--output", "--format", "--text-field", "--encoding", "--books-compat", "--templates", "--clean",
                "--max-rejects", "--threads", "--force"});
  }

  int run(Console& console) override {
    read_standard_input(part().inputs, task_.file.parent_path(), console);
    task_.as_is = part().source.as_is = part().wiki.as_is = text_ == "as-is";
    if (task_.as_is && !names_json_lines(task_.file)) {
      throw ConfigError("-o names no file of JSON Lines", task_.file, "give a name that ends in .jsonl or .jsonl.zst");
    }
    fetch_addresses(part().inputs, part().source, fetch_, options().given(), console);
    refuse_ignored_options(options().given(), task_.parts, console);
    const StageReport report = format_articles(task_, work_, console);
    print_summary({&report, 1}, console);
    return status_for_rejects(report, max_rejects_, console);
  }

 private:
  CorpusPart& part() { return task_.parts.front(); }

  FormatTask task_{.parts = {CorpusPart{}}, .file = {}};
  WorkOptions work_;
  FetchOptions fetch_;
  std::string text_ = "one-line";
  std::int64_t max_rejects_ = -1;
};

}  // namespace

std::unique_ptr<Command> make_format_command(CLI::App& self) {
  return std::make_unique<FormatCommand>(self);
}

}  // namespace bertprep::cli
