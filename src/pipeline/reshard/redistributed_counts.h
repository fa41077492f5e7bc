// RedistributedCounts: counts of the rows of a redistributed shard, like those of a run for the rows that it makes.
#pragma once

#include <filesystem>
#include <optional>

#include "bertprep/instance/instance_set.h"
#include "bertprep/shard/manifest.h"
#include "bertprep/shard/schema.h"
#include "bertprep/token/vocab.h"
#include "io/json.h"

namespace bertprep {

class RedistributedCounts {
 public:
  // Without the id of [MASK], kinds of replacements are not distinguished.
  explicit RedistributedCounts(std::optional<TokenId> mask) : mask_(mask) {}

  void add(const Batch& rows, const ShardShape& shape);
  const RowCounts& rows() const { return rows_; }
  // The member kShardCounts of a completion record; without counts of text.
  Json to_json() const;

 private:
  void add_predictions(const Batch& rows, std::size_t row, const ShardShape& shape);

  std::optional<TokenId> mask_;
  RowCounts rows_{};
};

// vocab.txt of the shards of `input`, if it is the one named in its manifest.
std::optional<Vocab> vocab_of_input(const std::filesystem::path& folder, const std::optional<Manifest>& input);

// Completes the section "data" of `output`, which merge_records() made from such counts, with the counts of text and
// their warnings from `input`, if it has them.
void carry_data(const std::optional<Manifest>& input, bool is_mask_known, Manifest& output);

}  // namespace bertprep
