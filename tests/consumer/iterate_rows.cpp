// Reads one epoch of a folder's training rows in order, through bertprep::shard only, in batches of up to four, as a
// trainer does; then resumes in the middle. iterate_rows FOLDER prints "ROWS rows, N different, resumes alike".
#include <bertprep/shard/row_stream.h>

#include <algorithm>
#include <iostream>
#include <set>
#include <utility>

int main(int, char** argv) {
  const bertprep::ShardSet set = bertprep::list_shards(argv[1], "training", true);
  const bertprep::RowOrder order(set, 42);
  bertprep::RowStream stream(set, order, 0);
  bertprep::TrainingBatch batch;
  std::set<std::pair<std::uint32_t, std::uint64_t>> seen;
  bertprep::RowPlace middle{};
  while (stream.position() < order.rows_per_epoch()) {
    const std::uint64_t first = stream.position();
    stream.next(std::min<std::uint64_t>(4, order.rows_per_epoch() - first), batch);
    for (std::size_t i = 0; i < batch.rows.rows; ++i) {
      seen.emplace(batch.places[i].shard, batch.places[i].row);
      if (batch.rows.input_mask[i * set.seq_len] != 1) return 1;
      if (first + i == order.rows_per_epoch() / 2) middle = batch.places[i];
    }
  }
  bertprep::RowStream resumed(set, order, order.rows_per_epoch() / 2);
  resumed.next(1, batch);
  const bool is_alike = batch.places[0].shard == middle.shard && batch.places[0].row == middle.row;
  std::cout << set.rows() << " rows, " << seen.size() << " different, resumes " << (is_alike ? "alike" : "otherwise")
            << '\n';
}
