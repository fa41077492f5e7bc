// DealtCounts: what the rows of a shard that is dealt out anew are like, counted as a run counts the rows it makes.
#pragma once

#include <filesystem>
#include <optional>

#include "bertprep/instance/instance_set.h"
#include "bertprep/shard/manifest.h"
#include "bertprep/shard/schema.h"
#include "bertprep/token/vocab.h"
#include "io/json.h"

namespace bertprep {

class DealtCounts {
 public:
  // Without the id of [MASK], what stands in place of tokens is not told apart.
  explicit DealtCounts(std::optional<TokenId> mask) : mask_(mask) {}

  void add(const Batch& rows, const ShardShape& shape);
  const RowCounts& rows() const { return rows_; }
  // What a completion record keeps under kShardCounts; of the text nothing is counted.
  Json to_json() const;

 private:
  void add_predictions(const Batch& rows, std::size_t row, const ShardShape& shape);

  std::optional<TokenId> mask_;
  RowCounts rows_{};
};

// vocab.txt beside the shards of `input`, if it is the one that its manifest names.
std::optional<Vocab> vocab_of_input(const std::filesystem::path& folder, const std::optional<Manifest>& input);

// Makes the section "data" of `output`, which merge_records() put together of such counts, whole: what is known of the
// text is that of `input`, and stays away where that has none; its warnings likewise.
void carry_data(const std::optional<Manifest>& input, bool is_mask_known, Manifest& output);

}  // namespace bertprep
