// DataCounts: figures of a dataset's quality, from the counts of each shard.
#pragma once

#include <numeric>

#include "base/number_text.h"
#include "bertprep/instance/instance_set.h"
#include "bertprep/shard/manifest.h"
#include "quality/text_counts.h"

namespace bertprep {

// The member of completion records with the counts of a shard.
inline constexpr const char* kShardCounts = "data";
// `text` is TextCounts::to_json()'s, `cut_tokens` InstanceSet's.
Json shard_counts_json(const Json& text, const RowCounts& rows, std::optional<std::uint64_t> cut_tokens = {});

// The requested properties of the dataset, from its recipe.
struct DataTargets {
  std::uint64_t seq_len = 0;
  std::uint64_t max_predictions = 0;
  double masked_lm_prob = 0;
  std::optional<double> test_fraction{};  // nothing: the text was sharded elsewhere
  TokenizerOptions tokenizer{};
};

// Training shards, or test shards.
struct ShardSpread {
  std::vector<std::uint64_t> rows{};  // of each shard, ascending once sorted
  std::uint64_t articles = 0;
  std::uint64_t single_article = 0;  // shards with only one article

  std::uint64_t all_rows() const { return std::accumulate(rows.begin(), rows.end(), std::uint64_t{0}); }
  // The upper one of two middle values.
  std::uint64_t median_rows() const { return rows.empty() ? 0 : rows[rows.size() / 2]; }
};

class DataCounts {
 public:
  // `json` is shard_counts_json()'s, `file` the shard's name. Throws FormatError.
  void add_shard(std::string_view file, const Json& json);
  // Takes out the unknown words of the shards so far, and adds such words: with many different ones, their sums depend
  // on the order of shards.
  FrequentWords take_unknown_words();
  void add_unknown_words(const FrequentWords& words) { text_.unknown_words.add(words); }
  // Documents that did not become articles.
  void set_dropped(const ReasonCounts& left_out, const ReasonCounts& rejected);

  const TextCounts& text() const { return text_; }
  const RowCounts& rows() const { return rows_; }
  const ShardSpread& training() const { return training_; }
  const ShardSpread& test() const { return test_; }
  const ReasonCounts& rejected() const { return rejected_; }

  double unknown_share() const { return share_of(text_.unknown, text_.tokens); }        // of the tokens of the text
  double pieces_per_word() const { return share_of(text_.tokens, text_.words); }        // 0: unknown
  double tokens_per_row() const { return share_of(rows_.tokens, rows_.rows); }          // including [CLS] and [SEP]
  double random_next_share() const { return share_of(rows_.random_next, rows_.rows); }  // of the rows
  double test_share() const { return share_of(test_.all_rows(), rows_.rows); }          // likewise
  double cut_share() const;  // of the tokens of sentence pairs; 0 also when a shard does not say
  double padding_share(std::uint64_t seq_len) const;

  // The section "data" of the manifest (docs/formats/manifest.md), without its warnings. Depends only on the shards.
  Json to_json(const DataTargets& targets) const;

 private:
  TextCounts text_{};
  RowCounts rows_{};
  std::uint64_t cut_tokens_ = 0;
  bool knows_cut_tokens_ = true;
  ShardSpread training_{};
  ShardSpread test_{};
  ReasonCounts left_out_{};
  ReasonCounts rejected_{};
};

// "0.23 %", "1.5 %", "56 %"
std::string percent(double share);

// Checks these counts against expected ranges, which docs/formats/data.md gives and explains.

// All warnings, in the order of the manifest; nothing for a dataset without rows.
std::vector<DataWarning> warnings_of(const DataCounts& counts, const DataTargets& targets);

// Adds the section "data", with its warnings by the recipe's targets, to `manifest`.
void add_data(const DataCounts& counts, Manifest& manifest);

}  // namespace bertprep
