#include "unit/shard/shard_rows.h"

#include <algorithm>
#include <random>

#include "bertprep/shard/shard_reader.h"

namespace bertprep::test {
namespace {

using Generator = std::mt19937;

std::size_t draw(Generator& generator, std::size_t below) {
  return generator() % below;
}

template <class Value>
std::vector<Value> cut(const std::vector<Value>& all, std::size_t width, std::size_t first, std::size_t count) {
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first * width);
  return {begin, begin + static_cast<std::ptrdiff_t>(count * width)};
}

template <class Value>
void fill_arbitrarily(std::vector<Value>& values, Generator& generator) {
  for (Value& value : values) value = static_cast<Value>(generator());
}

void fill_valid_row(Batch& batch, const ShardShape& shape, std::size_t row, Generator& generator,
                    std::int32_t vocab_size) {
  const std::size_t length = 1 + (draw(generator, 4) > 0 ? shape.seq_len - 1 : draw(generator, shape.seq_len));
  const std::size_t second = 1 + draw(generator, length);
  for (std::size_t i = 0; i < length; ++i) {
    const double skewed = std::generate_canonical<double, 32>(generator);
    batch.input_ids[row * shape.seq_len + i] = static_cast<std::int32_t>(skewed * skewed * vocab_size);
    batch.input_mask[row * shape.seq_len + i] = 1;
    batch.segment_ids[row * shape.seq_len + i] = i >= second ? 1 : 0;
  }
  std::size_t masked = 0;
  for (std::size_t i = 1; i < length && masked < shape.max_predictions; ++i) {
    if (draw(generator, 7) > 0) continue;
    const std::size_t cell = row * shape.max_predictions + masked++;
    batch.masked_lm_positions[cell] = static_cast<std::int32_t>(i);
    batch.masked_lm_ids[cell] = static_cast<std::int32_t>(draw(generator, static_cast<std::size_t>(vocab_size)));
  }
  batch.next_sentence_labels[row] = static_cast<std::int8_t>(draw(generator, 2));
}

}  // namespace

Batch valid_rows(const ShardShape& shape, std::uint32_t seed, std::int32_t vocab_size) {
  Generator generator(seed);
  Batch batch;
  batch.resize(shape.rows, shape);
  for (std::size_t row = 0; row < shape.rows; ++row) fill_valid_row(batch, shape, row, generator, vocab_size);
  return batch;
}

Batch arbitrary_rows(const ShardShape& shape, std::uint32_t seed) {
  Generator generator(seed);
  Batch batch;
  batch.resize(shape.rows, shape);
  fill_arbitrarily(batch.input_ids, generator);
  fill_arbitrarily(batch.input_mask, generator);
  fill_arbitrarily(batch.segment_ids, generator);
  fill_arbitrarily(batch.masked_lm_positions, generator);
  fill_arbitrarily(batch.masked_lm_ids, generator);
  fill_arbitrarily(batch.next_sentence_labels, generator);
  return batch;
}

Batch slice(const Batch& all, const ShardShape& shape, std::size_t first, std::size_t count) {
  Batch part;
  part.rows = count;
  part.input_ids = cut(all.input_ids, shape.seq_len, first, count);
  part.input_mask = cut(all.input_mask, shape.seq_len, first, count);
  part.segment_ids = cut(all.segment_ids, shape.seq_len, first, count);
  part.masked_lm_positions = cut(all.masked_lm_positions, shape.max_predictions, first, count);
  part.masked_lm_ids = cut(all.masked_lm_ids, shape.max_predictions, first, count);
  part.next_sentence_labels = cut(all.next_sentence_labels, 1, first, count);
  return part;
}

bool same_rows(const Batch& a, const Batch& b) {
  return a.rows == b.rows && a.input_ids == b.input_ids && a.input_mask == b.input_mask &&
         a.segment_ids == b.segment_ids && a.masked_lm_positions == b.masked_lm_positions &&
         a.masked_lm_ids == b.masked_lm_ids && a.next_sentence_labels == b.next_sentence_labels;
}

void write_shard(const std::filesystem::path& path, const ShardShape& shape, const Batch& rows,
                 const std::string& layout) {
  ShardWriter writer(path, shape, {.chunks = layout == "rows" ? ChunkLayout::kRows : ChunkLayout::kReference});
  writer.append(rows);
  writer.finish();
}

Batch read_shard(const std::filesystem::path& path) {
  ShardReader reader(path);
  Batch rows;
  reader.read(0, reader.shape().rows, rows);
  return rows;
}

}  // namespace bertprep::test
