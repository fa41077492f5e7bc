// The order of rows: v2 as by a plain restatement in Python (tests/golden/make_row_order.py), v1 as in version 0.2.
#include <gtest/gtest.h>

#include "bertprep/shard/row_stream.h"
#include "io/digest.h"
#include "shard/pool_reading.h"
#include "support/golden_data.h"
#include "support/json_lines.h"

namespace bertprep::test {
namespace {

std::uint64_t number_of(const JsonValue& value) {
  return std::stoull(value.text);
}

ShardSet set_of(const JsonValue& rows, const JsonValue* chunk_rows, std::size_t seq_len) {
  ShardSet set;
  set.seq_len = seq_len;
  for (std::size_t i = 0; i < rows.items.size(); ++i) {
    set.shards.push_back({{}, number_of(rows[i]), chunk_rows == nullptr ? 0 : number_of((*chunk_rows)[i])});
  }
  return set;
}

std::string lines_of(const EpochOrder& epoch) {
  std::string lines;
  for (std::size_t pool = 0; pool < epoch.pools(); ++pool) {
    for (const RowPlace& place : places_of(epoch.pool(pool))) {
      lines += std::to_string(place.shard) + " " + std::to_string(place.row) + "\n";
    }
  }
  return lines;
}

TEST(RowOrderGolden, V2) {
  const auto cases = read_json_lines(source_folder() / "tests/golden/data/row_order/v2.jsonl");
  ASSERT_GE(cases.size(), 13U);
  for (const JsonValue& golden : cases) {
    const ShardSet set =
        set_of(golden.at("rows_per_shard"), &golden.at("chunk_rows_per_shard"), number_of(golden.at("seq_len")));
    const std::string lines =
        lines_of(RowOrder(set, number_of(golden.at("seed"))).epoch(number_of(golden.at("epoch"))));
    EXPECT_EQ(sha256_of(lines), golden.at("sha256_of_places").text);
    std::string first;
    for (const JsonValue& place : golden.at("first_places").items) first += place[0].text + " " + place[1].text + "\n";
    EXPECT_EQ(lines.substr(0, first.size()), first);
  }
}

class RowOrderV1 : public GoldenTest {};

TEST_F(RowOrderV1, IsThatOfVersion02) {
  const JsonValue cases = parse_json(read_bytes(shared() / "goldens/outputs/row-order.json"));
  ASSERT_FALSE(cases.items.empty());
  for (const JsonValue& golden : cases.items) {
    const ShardSet set = set_of(golden.at("rows_per_shard"), nullptr, 128);
    const RowShuffle shuffle = golden.at("shuffle").text == "true" ? RowShuffle::kV1 : RowShuffle::kNone;
    const RowOrder order(set, number_of(golden.at("seed")), shuffle);
    EXPECT_EQ(sha256_of(lines_of(order.epoch(number_of(golden.at("epoch"))))), golden.at("sha256_of_places").text);
  }
}

}  // namespace
}  // namespace bertprep::test
