#include <cstdio>
#include <memory>
#include <system_error>

#include "base/fields.h"
#include "bertprep/base/error.h"
#include "console/console.h"
#include "console/signals.h"
#include "options/command.h"
#include "pipeline/explain/explain.h"
#include "report/inspected_rows.h"
#include "row_text.h"
#include "unicode/ascii.h"

namespace bertprep::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExplainExamples =
    "  bertprep explain wikitext-2_training_0.hdf5:17\n"
    "  bertprep explain data/hdf5_dataset:0\n"
    "  bertprep explain --rows 0:5 hdf5_dataset/*_128_*/wikitext-2/*_test_0.hdf5";

// Rows of a shard: from `first` up to but not including `last`.
struct RequestedRows {
  fs::path path;  // a shard, or a folder
  std::size_t first = 0;
  std::size_t last = 0;
};

bool exists(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

// SHARD:ROW or SHARD:A:B. A name may also contain colons.
RequestedRows parse(const std::string& text) {
  const auto number = [](const std::string& digits) { return static_cast<std::size_t>(parse_integer("row", digits)); };
  const std::size_t colon = text.rfind(':');
  const std::string last = colon == std::string::npos ? "" : text.substr(colon + 1);
  const std::string before = text.substr(0, colon);
  if (before.empty()) throw ConfigError("names no shard", text, "give one before the colon, such as data:0");
  if (!is_ascii_digits(last)) {
    throw ConfigError("no row is given", text, "give it after a colon, counted from 0: " + text + ":0");
  }
  const std::size_t other = before.rfind(':');
  if (!exists(before) && other != std::string::npos && is_ascii_digits(before.substr(other + 1))) {
    RequestedRows rows{before.substr(0, other), number(before.substr(other + 1)), number(last)};
    if (rows.first >= rows.last) throw ConfigError("holds no row", text, "the first number is below the second");
    return rows;
  }
  const std::size_t row = number(last);
  return {before, row, row + 1};
}

class ExplainCommand final : public Command {
 public:
  explicit ExplainCommand(CLI::App& self) : Command(self, kExplainExamples) {
    refuse_addresses(
        add_argument("shard", requested_, "SHARD:ROW",
                     "a shard or a set of token sequences, and the number of a row in it, counted from 0; A:B "
                     "are rows from A up to but not including B; a folder stands for its first shard",
                     Dash::kRefused))
        ->required();
    add_option("--rows", rows_, "A:B", OptionGroup::kRows, "the rows, A or A:B, of shards given without any");
    const std::string text = heading(OptionGroup::kText);
    add_option("--work", place_.work, "DIR", OptionGroup::kOutput,
               "the work folder of the run (default: the recorded one, else $BERT_PREP_WORKING_DIR, else bertprep-work "
               "beside the output)");
    add_option("--text", place_.text, "PATH", OptionGroup::kText,
               "the text shard, or the folder of the text shards, if no run made them");
    add_option("--vocab", vocab_, "VOCAB", OptionGroup::kText,
               "the vocabulary that the shard was made with: a file, or a name that 'bertprep vocab list' shows "
               "(default: the one that the manifest beside the shard names, if found)",
               Dash::kRefused);
  }

  int run(Console& console) override {
    end_at_signals();  // writes no files, and the reader of stdout may have stopped
    for (const std::string& requested : requested_) {
      const RequestedRows asked = parse(rows_.empty() ? requested : requested + ":" + rows_);
      InspectedRows rows(asked.path, console);
      require_rows(asked, rows.shape().rows);
      rows.content() == RowContent::kTokens ? explain_sequences(asked, rows, console) : explain(asked, rows, console);
    }
    return kDone;
  }

 private:
  void explain(const RequestedRows& asked, InspectedRows& rows, Console& console) const {
    const fs::path& shard = rows.path();
    require_explainable(shard);
    rows.find_words(vocab_, console);
    if (rows.vocab() == nullptr) {
      throw FormatError("its vocabulary is not found, without which its rows can't be made again", shard,
                        "give it with --vocab");
    }
    ShardExplainer explainer(shard, *rows.vocab(), place_, console);
    for (std::size_t row = asked.first; row < asked.last; ++row) {
      if (console.cancelled()) throw Cancelled();
      const ExplainedRow explained = explainer.explain(row);
      if (console.options().json) {
        print_explanation_event(explained, shard, explainer.text_shard(), *rows.vocab());
      } else {
        std::printf("%s: row %zu\n%s", shard.c_str(), row,
                    explanation_text(explained, explainer.text_shard(), *rows.vocab()).c_str());
      }
    }
  }

  void explain_sequences(const RequestedRows& asked, InspectedRows& rows, Console& console) const {
    SequenceExplainer explainer(rows.path(), place_, console);
    rows.find_words(vocab_, console);
    for (std::size_t row = asked.first; row < asked.last; ++row) {
      if (console.cancelled()) throw Cancelled();
      const ExplainedSequence explained = explainer.explain(row);
      rows.read(row);
      if (console.options().json) {
        print_explanation_event(row, rows.shown(), explained, rows.path());
      } else {
        std::printf("%s: row %zu\n%s", rows.path().c_str(), row, explanation_text(rows.shown(), explained).c_str());
      }
    }
  }

  // Checked before searching for the text.
  static void require_rows(const RequestedRows& requested, std::size_t rows) {
    if (requested.last <= rows) return;
    throw FormatError("there is no row " + std::to_string(requested.last - 1), requested.path,
                      "it has " + counted(rows, "row") + ", counted from 0");
  }

  std::vector<std::string> requested_;
  std::string rows_;
  TextPlace place_;
  std::string vocab_;
};

}  // namespace

std::unique_ptr<Command> make_explain_command(CLI::App& self) {
  return std::make_unique<ExplainCommand>(self);
}

}  // namespace bertprep::cli
