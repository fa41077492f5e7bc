// Arbitrary bytes in the compressed chunks of a valid shard: they are refused, or give rows of its shape, which verify
// can check.
//
// The first byte, of 256 parts of the chunks, is the position of the others. They stay within the chunks: HDF5 1.10
// itself crashes on malicious headers and indexes.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "bertprep/base/error.h"
#include "bertprep/shard/shard_reader.h"
#include "bertprep/shard/shard_writer.h"
#include "io/input_file.h"
#include "shard/shard_check.h"
#include "support/temp_folder.h"

namespace {

constexpr bertprep::ShardShape kShape{40, 32, 5};
constexpr std::int32_t kVocabSize = 1000;
constexpr std::size_t kSuperblockBytes = 100;

bertprep::Batch varied_rows() {
  bertprep::Batch batch;
  batch.resize(kShape.rows, kShape);
  for (std::size_t row = 0; row < kShape.rows; ++row) {
    const std::size_t length = 6 + row % 25;
    for (std::size_t i = 0; i < length; ++i) {
      batch.input_ids[row * kShape.seq_len + i] = static_cast<std::int32_t>(1 + (row * 37 + i * i) % 999);
      batch.input_mask[row * kShape.seq_len + i] = 1;
      batch.segment_ids[row * kShape.seq_len + i] = i > length / 2 ? 1 : 0;
    }
    batch.masked_lm_positions[row * kShape.max_predictions] = static_cast<std::int32_t>(1 + row % 5);
    batch.masked_lm_ids[row * kShape.max_predictions] = static_cast<std::int32_t>(7 + row);
    batch.next_sentence_labels[row] = static_cast<std::int8_t>(row % 2);
  }
  return batch;
}

std::string valid_shard(const std::filesystem::path& path) {
  bertprep::ShardWriter writer(path, kShape, {.chunks = bertprep::ChunkLayout::kRows});
  writer.append(varied_rows());
  writer.finish();
  return bertprep::read_file(path);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bertprep::test::TempFolder temp;
  static const std::string valid = valid_shard(temp / "sound.hdf5");
  static const std::size_t end = valid.find("TREE");  // of the chunks: their first index
  if (end == std::string::npos) std::abort();
  if (size == 0) return 0;
  const std::size_t place = kSuperblockBytes + (end - kSuperblockBytes) * data[0] / 256;
  std::string bytes = valid;
  std::copy_n(data + 1, std::min(size - 1, end - place), bytes.begin() + static_cast<std::ptrdiff_t>(place));
  bertprep::Batch batch;
  try {
    bertprep::ShardReader reader(temp.write("damaged.hdf5", bytes));
    if (reader.shape().rows != kShape.rows || reader.shape().seq_len != kShape.seq_len) std::abort();
    for (std::size_t row = 0; row < kShape.rows; row += 8) {
      reader.read(row, 8, batch);
      bertprep::check_rows(batch, kShape, row, kVocabSize);
    }
  } catch (const bertprep::FormatError&) {
    if (bytes == valid) std::abort();
  }
  return 0;
}
