#include "shard/hdf5/token_file.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "bertprep/base/error.h"
#include "shard/deflate/chunk_encoder.h"
#include "shard/hdf5/dataset_stream.h"
#include "shard/hdf5/hdf5_output.h"

namespace bertprep {
namespace {

constexpr unsigned kDeflateLevel = 4;
constexpr std::size_t kChunkBytes = std::size_t{128} << 10U;

// The rows of a file in order, padded.
class PaddedTokens {
 public:
  explicit PaddedTokens(const TokenFile& file) : file_(file) {}

  std::size_t left() const { return file_.row_tokens.size() - row_; }

  // Appends the next row.
  void add_ids(std::vector<std::int32_t>& ids) {
    const std::size_t tokens = file_.row_tokens[row_++];
    const auto row = file_.ids.subspan(std::exchange(token_, token_ + tokens), tokens);
    ids.insert(ids.end(), row.begin(), row.end());
    ids.insert(ids.end(), file_.length - tokens, file_.pad);
  }
  void add_mask(std::vector<std::int8_t>& mask) {
    const std::size_t tokens = file_.row_tokens[row_++];
    mask.insert(mask.end(), tokens, 1);
    mask.insert(mask.end(), file_.length - tokens, 0);
  }

 private:
  const TokenFile& file_;
  std::size_t row_ = 0;
  std::size_t token_ = 0;
};

// `add_row` appends the next of `rows`.
template <class Value>
void write_dataset(const Hdf5OutputFile& file, const DatasetPlan& plan, std::unique_ptr<ChunkEncoder> encoder,
                   PaddedTokens rows, void (PaddedTokens::*add_row)(std::vector<Value>&), const Progress& progress) {
  Hdf5OutputDataset dataset(file, plan, kDeflateLevel);
  const auto store = [&dataset](std::span<const std::size_t> offset, std::span<const std::byte> bytes) {
    dataset.write_chunk(offset, bytes);
  };
  DatasetStream stream(plan, std::move(encoder));
  std::vector<Value> chunk;
  while (rows.left() > 0) {
    if (progress.cancelled()) throw Cancelled();
    chunk.clear();
    for (std::size_t count = std::min(stream.rows_to_boundary(), rows.left()); count > 0; --count) {
      (rows.*add_row)(chunk);
    }
    stream.add(std::as_bytes(std::span(chunk)), store);
  }
  stream.finish(store);
  dataset.close();
}

}  // namespace

void write_token_file(const std::filesystem::path& path, const TokenFile& file, const Progress& progress) {
  const std::size_t rows = file.row_tokens.size();
  const std::size_t chunk_rows = std::clamp(kChunkBytes / (file.length * sizeof(std::int32_t)), std::size_t{1}, rows);
  const auto plan = [&](const std::string& name, std::size_t element_bytes) {
    return DatasetPlan{name, element_bytes, {rows, file.length}, {chunk_rows, file.length}, element_bytes > 1};
  };
  Hdf5OutputFile output(path);
  write_dataset(output, plan(file.column, sizeof(std::int32_t)), std::make_unique<Int32ChunkEncoder>(),
                PaddedTokens(file), &PaddedTokens::add_ids, progress);
  if (file.has_mask) {
    write_dataset(output, plan(kMaskColumn, 1), std::make_unique<Int8ChunkEncoder>(), PaddedTokens(file),
                  &PaddedTokens::add_mask, progress);
  }
  output.close();
}

}  // namespace bertprep
