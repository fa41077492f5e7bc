#include "shard/hdf5/token_file.h"

#include <algorithm>
#include <memory>

#include "bertprep/base/error.h"
#include "shard/deflate/chunk_encoder.h"
#include "shard/hdf5/dataset_stream.h"
#include "shard/hdf5/hdf5_output.h"

namespace bertprep {
namespace {

constexpr unsigned kDeflateLevel = 4;
constexpr std::size_t kChunkBytes = std::size_t{128} << 10U;

void write_dataset(const Hdf5OutputFile& file, const DatasetPlan& plan, std::unique_ptr<ChunkEncoder> encoder,
                   std::span<const std::byte> rows, const Progress& progress) {
  Hdf5OutputDataset dataset(file, plan, kDeflateLevel);
  const auto store = [&dataset](std::span<const std::size_t> offset, std::span<const std::byte> bytes) {
    dataset.write_chunk(offset, bytes);
  };
  DatasetStream stream(plan, std::move(encoder));
  while (!rows.empty()) {
    if (progress.cancelled()) throw Cancelled();
    const std::size_t bytes = std::min(stream.rows_to_boundary() * plan.row_bytes(), rows.size());
    stream.add(rows.first(bytes), store);
    rows = rows.subspan(bytes);
  }
  stream.finish(store);
  dataset.close();
}

}  // namespace

void write_token_file(const std::filesystem::path& path, const TokenFile& file, const Progress& progress) {
  const std::size_t rows = file.ids.size() / file.length;
  const std::size_t chunk_rows = std::clamp(kChunkBytes / (file.length * sizeof(std::int32_t)), std::size_t{1}, rows);
  const auto plan = [&](const std::string& name, std::size_t element_bytes) {
    return DatasetPlan{name, element_bytes, {rows, file.length}, {chunk_rows, file.length}, element_bytes > 1};
  };
  Hdf5OutputFile output(path);
  write_dataset(output, plan(file.column, sizeof(std::int32_t)), std::make_unique<Int32ChunkEncoder>(),
                std::as_bytes(file.ids), progress);
  if (!file.mask.empty()) {
    write_dataset(output, plan(kMaskColumn, 1), std::make_unique<Int8ChunkEncoder>(), std::as_bytes(file.mask),
                  progress);
  }
  output.close();
}

}  // namespace bertprep
