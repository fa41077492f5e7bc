// DataCounts: what a dataset is worth, put together from what was counted of each shard.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/instance/instance_set.h"
#include "bertprep/shard/manifest.h"
#include "bertprep/token/tokenizer.h"
#include "io/json.h"
#include "quality/text_counts.h"

namespace bertprep {

// What completion records of shards keep under kShardCounts.
inline constexpr const char* kShardCounts = "data";
// `text` is TextCounts::to_json()'s.
Json shard_counts_json(const Json& text, const RowCounts& rows);

// What the dataset was asked to be; of its recipe.
struct DataTargets {
  std::uint64_t seq_len = 0;
  std::uint64_t max_predictions = 0;
  double masked_lm_prob = 0;
  std::optional<double> test_fraction{};  // nothing: the text was cut into shards elsewhere
  TokenizerOptions tokenizer{};
};

// Training shards, or test shards.
struct ShardSpread {
  std::vector<std::uint64_t> rows{};  // of each shard, ascending once sorted
  std::uint64_t articles = 0;
  std::uint64_t single_article = 0;  // shards that hold one article

  std::uint64_t all_rows() const;
  std::uint64_t median_rows() const;  // the upper one of two
};

class DataCounts {
 public:
  // `json` is shard_counts_json()'s, `file` the shard's name. Throws FormatError.
  void add_shard(std::string_view file, const Json& json);
  // Documents that did not become articles.
  void set_dropped(const ReasonCounts& left_out, const ReasonCounts& rejected);

  const TextCounts& text() const { return text_; }
  const RowCounts& rows() const { return rows_; }
  const ShardSpread& training() const { return training_; }
  const ShardSpread& test() const { return test_; }
  const ReasonCounts& left_out() const { return left_out_; }
  const ReasonCounts& rejected() const { return rejected_; }

  double unknown_share() const;      // of the tokens of the text
  double pieces_per_word() const;    // 0: not known
  double tokens_per_row() const;     // with [CLS] and [SEP]
  double random_next_share() const;  // of the rows
  double test_share() const;         // of the rows
  double padding_share(std::uint64_t seq_len) const;

  // The section "data" of the manifest (docs/formats/manifest.md), without its warnings. The same for the same shards.
  Json to_json(const DataTargets& targets) const;

 private:
  TextCounts text_{};
  RowCounts rows_{};
  ShardSpread training_{};
  ShardSpread test_{};
  ReasonCounts left_out_{};
  ReasonCounts rejected_{};
};

// A share or mean as the manifest and messages give it: six decimals at most, without trailing zeros.
std::string rounded(double value, int decimals = 6);
// "0.23 %", "1.5 %", "56 %"
std::string percent(double share);

// Ranges that these counts are expected in. docs/formats/data.md gives each with its reason.

// What the recipe of `manifest` asks for.
DataTargets targets_of(const Manifest& manifest);

// All of them, in the order of the manifest; nothing for a dataset without rows.
std::vector<DataWarning> warnings_of(const DataCounts& counts, const DataTargets& targets);

// With what the recipe asks for, puts the section "data" and its warnings into `manifest`.
void add_data(const DataCounts& counts, Manifest& manifest);

}  // namespace bertprep
