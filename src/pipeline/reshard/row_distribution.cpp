#include "pipeline/reshard/row_distribution.h"

#include "base/number_text.h"
#include "bertprep/base/error.h"

namespace bertprep {

RowDistribution distribute_rows(std::uint64_t rows, std::uint64_t shards, EqualRows equal_rows,
                                std::uint64_t multiple) {
  RowDistribution distribution;
  const bool repeats = equal_rows == EqualRows::kRepeat;
  const std::uint64_t in_multiples = rows / multiple;
  const std::uint64_t least = in_multiples / shards;
  const std::uint64_t most = (rows + shards * multiple - 1) / (shards * multiple);
  for (std::uint64_t shard = 0; shard < shards; ++shard) {
    const std::uint64_t more = equal_rows == EqualRows::kNo && shard < in_multiples % shards ? 1 : 0;
    distribution.rows_per_shard.push_back((repeats ? most : least + more) * multiple);
  }
  std::uint64_t redistributed = 0;
  for (const std::uint64_t count : distribution.rows_per_shard) redistributed += count;
  if (rows > 0 && distribution.rows_per_shard.back() == 0) {
    throw FormatError(counted(rows, "row") + " can't fill " + counted(shards, "shard") +
                          (multiple > 1 ? " with multiples of " + grouped(multiple) : "") + ": some would be empty",
                      {}, "ask for fewer shards");
  }
  distribution.dropped = redistributed < rows ? rows - redistributed : 0;
  distribution.repeated = redistributed > rows ? redistributed - rows : 0;
  return distribution;
}

}  // namespace bertprep
