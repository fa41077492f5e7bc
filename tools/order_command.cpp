#include <cstdio>
#include <limits>

#include "bertprep/shard/row_stream.h"
#include "console/process.h"
#include "io/folder.h"
#include "options/command.h"
#include "shard/pool_reading.h"
#include "shard/shard_names.h"

namespace bertprep::cli {
namespace {

// CLI11 would accept -1 as the largest number, and hexadecimal ones.
std::string refuse_other_forms(const std::string& text) {
  if (text.starts_with('-')) return "must not be negative";
  return number_in<std::uint64_t>(text) ? "" : "'" + text + "' is not a whole number below 2^64";
}

// Rows for BERT or token sequences: by the first shard.
RowContent content_of(const std::filesystem::path& folder, const std::string& word) {
  for (const auto& entry : list_folder(folder)) {
    if (is_shard_name(entry.path(), word) && entry.is_regular_file()) return row_content(entry.path());
  }
  return RowContent::kInstances;
}

struct PrintedRow {
  std::uint64_t position = 0;  // in the endless sequence of all epochs
  std::uint64_t epoch = 0;
  std::string shard;
  std::uint64_t row = 0;
};

class OrderCommand final : public Command {
 public:
  explicit OrderCommand(CLI::App& self) : Command(self) {
    const std::string rows = heading(OptionGroup::kRows);
    const CLI::Validator number(refuse_other_forms, "");
    add_argument("folder", folder_, "DIR", "the folder of the shards of one phase")->required();
    add_option("--seed", seed_, "NUMBER", OptionGroup::kRows, "seed of the order (default 42)")->check(number);
    add_option("--epoch", epoch_, "NUMBER", OptionGroup::kRows, "epoch to begin in, counted from 0 (default 0)")
        ->check(number);
    add_option("--position", position_, "NUMBER", OptionGroup::kRows,
               "rows of the epoch to skip; with epoch 0, any position from a checkpoint (default 0)")
        ->check(number);
    add_option("--rows", rows_, "NUMBER", OptionGroup::kRows, "number of rows to print (default 10)")
        ->transform(within(0));
    add_option("--order", order_, "v2|v1|none", OptionGroup::kRows,
               "how to shuffle the rows; none: keep their order (default v2)")
        ->check(CLI::Validator(CLI::IsMember({"v2", "v1", "none"})).description(""));
    add_flag("--test", test_, OptionGroup::kRows, "use the test shards instead of the training shards");
    add_option("--batch-size", batch_size_, "ROWS", OptionGroup::kRows,
               "rows per step over all processes; adds the step to each row")
        ->transform(within(1));
    add_option("--world-size", processes_, "NUMBER", OptionGroup::kRows,
               "number of training processes; adds the process to each row")
        ->transform(within(1));
  }

  int run(Console& console) override {
    require_even_shares();
    end_at_signals();  // writes no files, and the reader of stdout may have stopped
    const std::string word = test_ ? "test" : "training";
    const ShardSet set = list_shards(folder_, word, true, console, content_of(folder_, word));
    const RowShuffle shuffle = order_ == "v1"     ? RowShuffle::kV1
                               : order_ == "none" ? RowShuffle::kNone
                                                  : RowShuffle::kV2;
    const RowOrder order(set, seed_, shuffle);
    std::uint64_t position = first_position(order.rows_per_epoch());
    if (!console.options().json) print_header();
    for (std::uint64_t left = rows_; left > 0;) {
      const std::uint64_t number = position / order.rows_per_epoch();
      const EpochOrder epoch = order.epoch(number);
      for (std::size_t pool = epoch.pool_of(position % order.rows_per_epoch()); pool < epoch.pools() && left > 0;
           ++pool) {
        const std::vector<RowPlace> places = places_of(epoch.pool(pool));
        for (std::uint64_t i = position % order.rows_per_epoch() - epoch.begin_of(pool); i < places.size() && left > 0;
             ++i, ++position, --left) {
          if (console.cancelled()) throw Cancelled();
          const std::string name = set.shards[places[i].shard].path.filename().string();
          print({position, number, name, places[i].row}, console.options().json);
        }
      }
    }
    return kDone;
  }

 private:
  void require_even_shares() const {
    if (!processes_) return;
    if (!batch_size_)
      throw ConfigError("--world-size needs to know how many rows a step takes", {}, "give --batch-size");
    if (*batch_size_ % *processes_ == 0) return;
    throw ConfigError("--batch-size " + std::to_string(*batch_size_) + " can't be split evenly among " +
                          std::to_string(*processes_) + " processes",
                      {}, "give a multiple of " + std::to_string(*processes_));
  }

  std::uint64_t first_position(std::uint64_t rows_per_epoch) const {
    const std::uint64_t most = std::numeric_limits<std::uint64_t>::max() - position_;
    if (epoch_ > most / rows_per_epoch || rows_ > most - epoch_ * rows_per_epoch) {
      throw ConfigError("epoch " + std::to_string(epoch_) + " of " + std::to_string(rows_per_epoch) +
                        " rows ends beyond position 2^64 - 1");
    }
    return epoch_ * rows_per_epoch + position_;
  }

  void print_header() const {
    std::printf("position\tepoch\tshard\trow%s%s\n", batch_size_ ? "\tstep" : "", processes_ ? "\trank" : "");
  }

  void print(const PrintedRow& row, bool json) const {
    const std::uint64_t step = batch_size_ ? row.position / *batch_size_ + 1 : 0;
    const std::uint64_t rank = processes_ ? row.position % *batch_size_ / (*batch_size_ / *processes_) : 0;
    if (json) {
      JsonEvent event("place");
      event.number("position", row.position).number("epoch", row.epoch).text("shard", row.shard).number("row", row.row);
      if (batch_size_) event.number("step", step);
      if (processes_) event.number("rank", rank);
      event.print();
      return;
    }
    std::string line = std::to_string(row.position) + "\t" + std::to_string(row.epoch) + "\t" + row.shard + "\t" +
                       std::to_string(row.row);
    if (batch_size_) line += "\t" + std::to_string(step);
    if (processes_) line += "\t" + std::to_string(rank);
    std::puts(line.c_str());
  }

  std::filesystem::path folder_;
  std::uint64_t seed_ = 42;
  std::uint64_t epoch_ = 0;
  std::uint64_t position_ = 0;
  std::uint64_t rows_ = 10;
  std::string order_ = "v2";
  bool test_ = false;
  std::optional<std::uint64_t> batch_size_;
  std::optional<std::uint64_t> processes_;
};

}  // namespace

extern const CommandEntry kOrderCommand{"order", make_command<OrderCommand>};

}  // namespace bertprep::cli
