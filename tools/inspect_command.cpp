#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "console/process.h"
#include "console/standard_input.h"
#include "options/command.h"
#include "report/html.h"
#include "report/inspected_rows.h"
#include "row_text.h"

namespace bertprep::cli {
namespace {

constexpr std::size_t kDefaultRows = 3;

struct RowRange {
  std::size_t first = 0;
  std::size_t last = 0;  // one past the end
};

// "1,665 rows of 32 tokens with up to 5 predictions, 62 kB"
std::string facts_of(const InspectedRows& rows) {
  const ShardShape& shape = rows.shape();
  const std::string bytes = ", " + bytes_text(rows.bytes());
  if (rows.format() == SetFormat::kMds) return "MDS, " + counted(shape.rows, "row") + bytes;
  if (rows.format() == SetFormat::kMegatron) return "Megatron, " + counted(shape.rows, "sequence") + bytes;
  const std::string masks = shape.max_predictions == 0
                                ? " without masks"
                                : " with up to " + std::to_string(shape.max_predictions) + " predictions";
  return counted(shape.rows, "row") + " of " + std::to_string(shape.seq_len) + " tokens" + masks + bytes;
}

void print_event(const InspectedRows& rows) {
  const bool is_shard = rows.format() == SetFormat::kHdf5;
  JsonEvent event(is_shard ? "shard" : "set");
  event.text(is_shard ? "file" : "path", rows.path().string());
  if (!is_shard) event.text("format", rows.format() == SetFormat::kMds ? "mds" : "megatron");
  event.number("rows", rows.shape().rows);
  if (is_shard) event.number("seq_len", rows.shape().seq_len).number("max_predictions", rows.shape().max_predictions);
  event.number("bytes", rows.bytes()).print();
}

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
    throw FormatError("--rows " + text + " is outside the " + counted(rows, "row"));
  }
  return range;
}

class InspectCommand final : public Command {
 public:
  explicit InspectCommand(CLI::App& self) : Command(self) {
    add_argument(
        "path", path_, "PATH",
        "a shard or a set of token sequences, or a folder to search for them, the first of which is shown; - is "
        "stdin",
        Dash::kTaken)
        ->required();
    add_option(
        "--rows", rows_, "A:B", OptionGroup::kRows,
        "rows to show: from A up to but not including B, counted from 0; A alone is one row (default: the first " +
            std::to_string(kDefaultRows) + ")");
    add_option(
        "--vocab", vocab_, "VOCAB", OptionGroup::kText,
        "show the pieces or the text of this vocabulary: a file, or a name that 'bertprep vocab list' shows; - is "
        "stdin (default: the one beside the set, or that the manifest names, if found; else ids are shown)");
    add_flag("--html", html_, OptionGroup::kOutput, "write the rows to stdout as a page for a browser");
  }

  int run(Console& console) override {
    if (html_ && console.options().json) throw ConfigError("--html and --json both write to stdout", {}, "give one");
    std::vector<std::filesystem::path> inputs{path_};
    standard_input_.take(inputs, vocab_, console);
    path_ = inputs.front();
    if (!standard_input_.has_file()) end_at_signals();  // writes no files, and the reader of stdout may have stopped
    InspectedRows rows(path_, console);
    const RowRange range =
        rows_.empty() ? RowRange{0, std::min(rows.shape().rows, kDefaultRows)} : parse_rows(rows_, rows.shape().rows);
    if (range.first < range.last || !vocab_.empty()) rows.find_words(vocab_, console);
    if (html_) {
      print_page(rows, range, console);
      return kDone;
    }
    if (console.options().json) {
      print_event(rows);
    } else {
      std::printf("%s: %s\n", rows.path().c_str(), facts_of(rows).c_str());
    }
    const bool has_colours = shows_colours(STDOUT_FILENO);
    for (std::size_t row = range.first; row < range.last; ++row) {
      if (console.cancelled()) throw Cancelled();
      rows.read(row);
      if (console.options().json) {
        print_row_event(row, rows);
      } else {
        std::printf("\nrow %zu\n%s", row, row_text(rows.shown(), has_colours).c_str());
      }
    }
    return kDone;
  }

 private:
  // Row by row, as a page may exceed memory.
  static void print_page(InspectedRows& rows, const RowRange& range, const Console& console) {
    const std::string name = rows.path().filename().string();
    const HtmlFrame frame = html_frame(name);
    std::fputs(
        (frame.head + element("h1", "", escaped(name)) + element("p", "soft", escaped(facts_of(rows))) + row_key_html())
            .c_str(),
        stdout);
    for (std::size_t row = range.first; row < range.last; ++row) {
      if (console.cancelled()) throw Cancelled();
      rows.read(row);
      std::fputs(row_html(rows.shown(), "row " + std::to_string(row)).c_str(), stdout);
    }
    std::fputs(frame.end.c_str(), stdout);
  }

  NamedStandardInput standard_input_;
  std::filesystem::path path_;
  std::string rows_;
  std::string vocab_;
  bool html_ = false;
};

}  // namespace

extern const CommandEntry kInspectCommand{"inspect", make_command<InspectCommand>};

}  // namespace bertprep::cli
