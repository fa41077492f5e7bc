#include "shard/hdf5/token_file.h"

#include <algorithm>

#include "bertprep/base/error.h"
#include "shard/hdf5/hdf5_output.h"

namespace bertprep {
namespace {

constexpr unsigned kDeflateLevel = 4;
constexpr std::size_t kChunkBytes = std::size_t{128} << 10U;

void write_dataset(const Hdf5OutputFile& file, const DatasetPlan& plan, std::span<const std::vector<std::byte>> chunks,
                   const Progress& progress) {
  Hdf5OutputDataset dataset(file, plan, kDeflateLevel);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    if (progress.cancelled()) throw Cancelled();
    const std::array<std::size_t, 2> offset{i * plan.chunk.front(), 0};
    dataset.write_chunk(offset, chunks[i]);
  }
  dataset.close();
}

}  // namespace

TokenFileWriter::TokenFileWriter(TokenFileShape shape)
    : shape_(std::move(shape)),
      chunk_rows_(std::max(kChunkBytes / (shape_.length * sizeof(std::int32_t)), std::size_t{1})) {}

void TokenFileWriter::add(std::span<const std::int32_t> row) {
  ids_.values.insert(ids_.values.end(), row.begin(), row.end());
  ids_.values.insert(ids_.values.end(), shape_.length - row.size(), shape_.pad);
  if (shape_.has_mask) {
    mask_.values.insert(mask_.values.end(), row.size(), 1);
    mask_.values.insert(mask_.values.end(), shape_.length - row.size(), 0);
  }
  if (++rows_ % chunk_rows_ == 0) end_chunks();
}

void TokenFileWriter::end_chunks() {
  ids_.end_chunk(shape_.length);
  if (shape_.has_mask) mask_.end_chunk(shape_.length);
}

void TokenFileWriter::write(const std::filesystem::path& path, const Progress& progress) {
  const std::size_t chunk_rows = std::min(chunk_rows_, rows_);
  if (rows_ % chunk_rows_ != 0) {
    // HDF5 stores whole chunks.
    ids_.values.resize(chunk_rows * shape_.length);
    if (shape_.has_mask) mask_.values.resize(chunk_rows * shape_.length);
    end_chunks();
  }
  const auto plan = [&](const std::string& name, std::size_t element_bytes) {
    return DatasetPlan{name, element_bytes, {rows_, shape_.length}, {chunk_rows, shape_.length}, element_bytes > 1};
  };
  Hdf5OutputFile output(path);
  write_dataset(output, plan(shape_.column, sizeof(std::int32_t)), ids_.chunks, progress);
  if (shape_.has_mask) write_dataset(output, plan(kMaskColumn, 1), mask_.chunks, progress);
  output.close();
}

}  // namespace bertprep
