#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "base/fields.h"
#include "bertprep/base/error.h"
#include "bertprep/shard/shard_reader.h"
#include "bertprep/token/vocab.h"
#include "console/console.h"
#include "console/json_event.h"
#include "console/signals.h"
#include "console/standard_input.h"
#include "io/folder.h"
#include "options/amounts.h"
#include "options/command.h"
#include "pipeline/explain/shard_files.h"
#include "report/html.h"
#include "report/shown_row.h"
#include "row_text.h"
#include "shard/recorded_files.h"

namespace bertprep::cli {
namespace {

constexpr const char* kInspectExamples =
    "  bertprep inspect data/hdf5_dataset\n"
    "  bertprep inspect wikitext-2_training_0.hdf5 --vocab vocab.txt --rows 100:110\n"
    "  bertprep inspect wikitext-2_training_0.hdf5 --rows :50 --html >rows.html";

constexpr std::size_t kDefaultRows = 3;

struct RowRange {
  std::size_t first = 0;
  std::size_t last = 0;  // one past the end
};

// "A:B", "A:" and ":B" as in Python slices of integers; "A" is one row.
RowRange parse_rows(const std::string& text, std::size_t rows) {
  const auto number = [&](const std::string& digits, std::size_t otherwise) {
    return digits.empty() ? otherwise : static_cast<std::size_t>(parse_integer("rows", digits));
  };
  const std::size_t colon = text.find(':');
  RowRange range;
  range.first = number(text.substr(0, colon), 0);
  range.last = colon == std::string::npos ? range.first + 1 : number(text.substr(colon + 1), rows);
  if (range.first > range.last || range.last > rows) {
    throw FormatError("--rows " + text + " is outside the shard, which has " + counted(rows, "row"));
  }
  return range;
}

class InspectCommand final : public Command {
 public:
  explicit InspectCommand(CLI::App& self) : Command(self, kInspectExamples) {
    add_argument("path", path_, "PATH",
                 "a shard, or a folder to search for shards, the first of which is shown; - is stdin", Dash::kTaken)
        ->required();
    add_option(
        "--rows", rows_, "A:B", OptionGroup::kRows,
        "rows to show: from A up to but not including B, counted from 0; A alone is one row (default: the first " +
            std::to_string(kDefaultRows) + ")");
    add_option("--vocab", vocab_, "VOCAB", OptionGroup::kText,
               "show the pieces of this vocabulary: a file, or a name that 'bertprep vocab list' shows; - is "
               "stdin (default: the one that the manifest beside the shard names, if found; else ids are shown)");
    add_flag("--html", html_, OptionGroup::kOutput, "write the rows to stdout as a page for a browser");
  }

  int run(Console& console) override {
    if (html_ && console.options().json) throw ConfigError("--html and --json both write to stdout", {}, "give one");
    take_dashes(console);
    if (!standard_input_.has_file()) end_at_signals();  // writes no files, and the reader of stdout may have stopped
    const std::filesystem::path file = choose(console);
    RecordedFiles(folder_of(file)).require_unchanged(file, console);
    const RowContent content = row_content(file);
    ShardReader reader(file, content);
    const ShardShape shape = reader.shape();
    const RowRange range =
        rows_.empty() ? RowRange{0, std::min(shape.rows, kDefaultRows)} : parse_rows(rows_, shape.rows);
    const std::optional<Vocab> vocab = choose_vocab(file, range, console);
    if (html_) {
      print_page(file, reader, content, range, vocab ? &*vocab : nullptr, console);
      return kDone;
    }
    print_shard(file, shape, console);
    const bool has_colours = shows_colours(STDOUT_FILENO);
    Batch batch;
    for (std::size_t row = range.first; row < range.last; ++row) {
      if (console.cancelled()) throw Cancelled();
      reader.read(row, 1, batch);
      if (console.options().json) {
        print_row_event(row, batch, shape, content, vocab ? &*vocab : nullptr);
      } else {
        const ShownRow shown = shown_row(batch, content, vocab ? &*vocab : nullptr);
        std::printf("\nrow %zu\n%s", row, row_text(shown, has_colours).c_str());
      }
    }
    return kDone;
  }

 private:
  void take_dashes(Console& console) {
    std::vector<std::filesystem::path> inputs{path_};
    standard_input_.take(inputs, vocab_, console);
    path_ = inputs.front();
  }

  std::filesystem::path choose(Console& console) const {
    const std::vector<ShardFile> files = shard_files(path_);
    const ShardFile& first = first_shard(files);
    if (std::filesystem::is_directory(path_) && files.size() > 1) {
      console.note("showing the first of " + counted(files.size(), "shard") + " in " + path_.string() +
                   "; name another to see it");
    }
    return first.path;
  }

  std::optional<Vocab> choose_vocab(const std::filesystem::path& file, const RowRange& range, Console& console) const {
    if (!vocab_.empty()) return load_vocab(vocab_);
    if (range.first == range.last) return std::nullopt;
    return vocab_of_shard(file, console);
  }

  static std::string facts_of(const std::filesystem::path& file, const ShardShape& shape) {
    const std::string masks = shape.max_predictions == 0
                                  ? " without masks, "
                                  : " with up to " + std::to_string(shape.max_predictions) + " predictions, ";
    return counted(shape.rows, "row") + " of " + std::to_string(shape.seq_len) + " tokens" + masks +
           bytes_text(std::filesystem::file_size(file));
  }

  // Row by row, as a page may exceed memory.
  static void print_page(const std::filesystem::path& file, ShardReader& reader, RowContent content,
                         const RowRange& range, const Vocab* vocab, const Console& console) {
    const std::string name = file.filename().string();
    const HtmlFrame frame = html_frame(name);
    std::fputs((frame.head + element("h1", "", escaped(name)) +
                element("p", "soft", escaped(facts_of(file, reader.shape()))) + row_key_html())
                   .c_str(),
               stdout);
    Batch batch;
    for (std::size_t row = range.first; row < range.last; ++row) {
      if (console.cancelled()) throw Cancelled();
      reader.read(row, 1, batch);
      std::fputs(row_html(shown_row(batch, content, vocab), "row " + std::to_string(row)).c_str(), stdout);
    }
    std::fputs(frame.end.c_str(), stdout);
  }

  static void print_shard(const std::filesystem::path& file, const ShardShape& shape, const Console& console) {
    if (console.options().json) {
      JsonEvent("shard")
          .text("file", file.string())
          .number("rows", shape.rows)
          .number("seq_len", shape.seq_len)
          .number("max_predictions", shape.max_predictions)
          .number("bytes", std::filesystem::file_size(file))
          .print();
    } else {
      std::printf("%s: %s\n", file.c_str(), facts_of(file, shape).c_str());
    }
  }

  NamedStandardInput standard_input_;
  std::filesystem::path path_;
  std::string rows_;
  std::string vocab_;
  bool html_ = false;
};

}  // namespace

std::unique_ptr<Command> make_inspect_command(CLI::App& self) {
  return std::make_unique<InspectCommand>(self);
}

}  // namespace bertprep::cli
