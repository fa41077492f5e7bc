#include <cstdio>
#include <optional>

#include "amounts.h"
#include "bertprep/base/error.h"
#include "bertprep/shard/shard_reader.h"
#include "bertprep/token/vocab.h"
#include "bertprep/token/vocab_catalogue.h"
#include "command.h"
#include "exit_status.h"
#include "row_text.h"
#include "signals.h"

namespace bertprep::cli {
namespace {

constexpr const char* kExamples =
    "  bertprep inspect wikitext-2_training_0.hdf5 --vocab bert-large-uncased-vocab.txt --rows 0:3\n"
    "  bertprep inspect wikitext-2_training_0.hdf5";

struct RowRange {
  std::size_t first = 0;
  std::size_t last = 0;  // one past the end
};

// "A:B", "A:" and ":B" as in Python slices of whole numbers; "A" is one row.
RowRange parse_rows(const std::string& text, std::size_t rows) {
  const auto number = [&](const std::string& digits, std::size_t otherwise) {
    return digits.empty() ? otherwise : static_cast<std::size_t>(parse_integer("rows", digits));
  };
  const std::size_t colon = text.find(':');
  RowRange range;
  range.first = number(text.substr(0, colon), 0);
  range.last = colon == std::string::npos ? range.first + 1 : number(text.substr(colon + 1), rows);
  if (range.first > range.last || range.last > rows) {
    throw FormatError("--rows " + text + " is outside the " + std::to_string(rows) + " rows of the shard");
  }
  return range;
}

class InspectCommand final : public Command {
 public:
  explicit InspectCommand(CLI::App& parent)
      : Command(parent, "inspect", "Show what a shard holds, rows as text when --vocab is given", kExamples) {
    app().add_option("file", file_, "a shard")->required()->type_name("FILE");
    app()
        .add_option("--rows", rows_, "rows to show: A up to but without B, counted from 0; A alone is one row")
        ->type_name("A:B")
        ->group(heading(OptionGroup::kRows));
    app()
        .add_option("--vocab", vocab_, "show pieces instead of ids; a file, or a name that 'bertprep vocab list' shows")
        ->type_name("VOCAB")
        ->group(heading(OptionGroup::kText));
  }

  int run(Console&) override {
    end_at_signals();  // nothing is written, and whoever reads stdout may have stopped
    ShardReader reader(file_);
    const ShardShape shape = reader.shape();
    std::printf("%s: %s rows of %zu tokens with up to %zu predictions, %s\n", file_.c_str(),
                grouped(shape.rows).c_str(), shape.seq_len, shape.max_predictions,
                bytes_text(std::filesystem::file_size(file_)).c_str());
    if (rows_.empty()) return kDone;
    std::optional<Vocab> vocab;
    if (!vocab_.empty()) vocab = load_vocab(vocab_);
    const RowRange range = parse_rows(rows_, shape.rows);
    Batch batch;
    for (std::size_t row = range.first; row < range.last; ++row) {
      reader.read(row, 1, batch);
      std::printf("\nrow %zu\n%s", row, row_text(batch, shape, vocab ? &*vocab : nullptr).c_str());
    }
    return kDone;
  }

 private:
  std::filesystem::path file_;
  std::string rows_;
  std::string vocab_;
};

}  // namespace

std::unique_ptr<Command> make_inspect_command(CLI::App& parent) {
  return std::make_unique<InspectCommand>(parent);
}

}  // namespace bertprep::cli
