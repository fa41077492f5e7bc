#include "shard/hdf5/dataset_stream.h"

#include <algorithm>

#include "shard/hdf5/hdf5_output.h"

namespace bertprep {
namespace {

struct HeldChunk {
  std::vector<std::size_t> offset;
  std::vector<std::byte> bytes;
};

class StoreInOrder final : public ChunkStore {
 public:
  StoreInOrder(const std::filesystem::path& path, const ShardPlan& plan, unsigned deflate_level)
      : file_(path), plan_(plan), deflate_level_(deflate_level) {}

  void store(std::size_t dataset, std::span<const std::size_t> offset, std::span<const std::byte> bytes) override {
    chunks_[dataset].push_back({{offset.begin(), offset.end()}, {bytes.begin(), bytes.end()}});
  }

  void finish() override {
    for (std::size_t i = 0; i < kDatasets; ++i) {
      Hdf5OutputDataset dataset(file_, plan_[i], deflate_level_);
      for (const HeldChunk& chunk : chunks_[i]) dataset.write_chunk(chunk.offset, chunk.bytes);
      dataset.close();
    }
    file_.close();
  }

  FileDigest digest(const Progress& progress) const override { return digest_file(file_.path(), progress); }

 private:
  Hdf5OutputFile file_;
  ShardPlan plan_;
  unsigned deflate_level_;
  std::array<std::vector<HeldChunk>, kDatasets> chunks_;
};

}  // namespace

std::unique_ptr<ChunkStore> store_in_order(const std::filesystem::path& path, const ShardPlan& plan,
                                           unsigned deflate_level) {
  return std::make_unique<StoreInOrder>(path, plan, deflate_level);
}

DatasetStream::DatasetStream(const DatasetPlan& plan, std::unique_ptr<ChunkEncoder> encoder)
    : plan_(plan), encoder_(std::move(encoder)) {}

void DatasetStream::restart(const DatasetPlan& plan) {
  plan_ = plan;
  encoder_->forget();
  stored_rows_ = 0;
  held_rows_ = 0;
}

void DatasetStream::add(std::span<const std::byte> rows, const StoreChunk& store) {
  const std::size_t band_bytes = chunk_rows() * plan_.row_bytes();
  if (held_rows_ == 0 && rows.size() == band_bytes) {
    store_band(rows, store);
    return;
  }
  if (band_.size() < band_bytes) band_.resize(band_bytes);
  std::copy(rows.begin(), rows.end(), band_.begin() + static_cast<std::ptrdiff_t>(held_rows_ * plan_.row_bytes()));
  held_rows_ += plan_.row_bytes() == 0 ? 0 : rows.size() / plan_.row_bytes();
  if (held_rows_ < chunk_rows()) return;
  store_band(std::span(band_).first(band_bytes), store);
  held_rows_ = 0;
}

void DatasetStream::finish(const StoreChunk& store) {
  if (held_rows_ == 0) return;
  const std::span band = std::span(band_).first(chunk_rows() * plan_.row_bytes());
  std::fill(band.begin() + static_cast<std::ptrdiff_t>(held_rows_ * plan_.row_bytes()), band.end(), std::byte{0});
  store_band(band, store);
  held_rows_ = 0;
}

void DatasetStream::store_band(std::span<const std::byte> band, const StoreChunk& store) {
  for (std::size_t column = 0; column < plan_.columns(); column += plan_.chunk_columns()) {
    const std::array<std::size_t, 2> offset{stored_rows_, column};
    store(std::span(offset).first(plan_.shape.size()), encoder_->encode(tile(band, column), plan_.chunk_columns()));
  }
  stored_rows_ += chunk_rows();
}

std::span<const std::byte> DatasetStream::tile(std::span<const std::byte> band, std::size_t first_column) {
  if (plan_.chunk_columns() == plan_.columns()) return band;
  const std::size_t tile_row_bytes = plan_.chunk_columns() * plan_.element_bytes;
  const std::size_t columns = std::min(plan_.chunk_columns(), plan_.columns() - first_column);
  tile_.assign(chunk_rows() * tile_row_bytes, std::byte{0});
  for (std::size_t row = 0; row < chunk_rows(); ++row) {
    const auto source =
        band.subspan(row * plan_.row_bytes() + first_column * plan_.element_bytes, columns * plan_.element_bytes);
    std::copy(source.begin(), source.end(), tile_.begin() + static_cast<std::ptrdiff_t>(row * tile_row_bytes));
  }
  return tile_;
}

}  // namespace bertprep
