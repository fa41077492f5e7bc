// Reads shards back through bertprep::shard only: prints the rows of every file and how many follow a random segment.
#include <bertprep/shard/shard_reader.h>

#include <algorithm>
#include <iostream>

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    bertprep::ShardReader reader(argv[i]);
    const bertprep::ShardShape shape = reader.shape();
    bertprep::Batch batch;
    reader.read(0, shape.rows, batch);
    const auto random = std::count(batch.next_sentence_labels.begin(), batch.next_sentence_labels.end(), 1);
    std::cout << shape.rows << " rows of " << shape.seq_len << " tokens, " << random << " random\n";
  }
}
