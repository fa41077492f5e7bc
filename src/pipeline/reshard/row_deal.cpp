#include "pipeline/reshard/row_deal.h"

#include "base/number_text.h"
#include "bertprep/base/error.h"

namespace bertprep {

RowDeal deal_rows(std::uint64_t rows, std::uint64_t shards, EqualRows equal_rows, std::uint64_t multiple) {
  RowDeal deal;
  const bool repeats = equal_rows == EqualRows::kRepeat;
  const std::uint64_t in_multiples = rows / multiple;
  const std::uint64_t least = in_multiples / shards;
  const std::uint64_t most = (rows + shards * multiple - 1) / (shards * multiple);
  for (std::uint64_t shard = 0; shard < shards; ++shard) {
    const std::uint64_t more = equal_rows == EqualRows::kNo && shard < in_multiples % shards ? 1 : 0;
    deal.rows_per_shard.push_back((repeats ? most : least + more) * multiple);
  }
  std::uint64_t dealt = 0;
  for (const std::uint64_t count : deal.rows_per_shard) dealt += count;
  if (rows > 0 && deal.rows_per_shard.back() == 0) {
    throw FormatError(counted(rows, "row") + " can't fill " + counted(shards, "shard") +
                          (multiple > 1 ? " with multiples of " + grouped(multiple) : "") + ": some would be empty",
                      {}, "ask for fewer shards");
  }
  deal.dropped = dealt < rows ? rows - dealt : 0;
  deal.repeated = dealt > rows ? dealt - rows : 0;
  return deal;
}

}  // namespace bertprep
