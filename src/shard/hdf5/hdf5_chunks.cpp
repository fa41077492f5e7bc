#include "shard/hdf5/hdf5_chunks.h"

#include <algorithm>
#include <array>

#include "shard/deflate/byte_planes.h"
#include "shard/hdf5/hdf5_library.h"

namespace bertprep {
namespace {

// The same limit as for HDF5's cache of a dataset.
constexpr std::size_t kMaxBandBytes = std::size_t{64} << 20U;

enum class Filters { kDeflate, kShuffleAndDeflate, kOthers };

struct Filter {
  H5Z_filter_t id = H5Z_FILTER_NONE;
  unsigned first_value = 0;
};

Filter filter_at(hid_t properties, unsigned index) {
  unsigned flags = 0;
  unsigned config = 0;
  std::array<unsigned, 1> values{};
  std::size_t count = values.size();
  const H5Z_filter_t id = hdf5().Pget_filter2(properties, index, &flags, &count, values.data(), 0, nullptr, &config);
  return {id, count > 0 ? values[0] : 0};
}

Filters filters_of(hid_t dataset, std::size_t element_bytes) {
  const Hdf5Handle properties(hdf5().Dget_create_plist(dataset), hdf5().Pclose);
  const int count = properties.ok() ? hdf5().Pget_nfilters(properties.id()) : 0;
  if (count < 1 || count > 2) return Filters::kOthers;
  if (filter_at(properties.id(), static_cast<unsigned>(count - 1)).id != H5Z_FILTER_DEFLATE) return Filters::kOthers;
  if (count == 1) return Filters::kDeflate;
  const Filter shuffle = filter_at(properties.id(), 0);
  const bool shuffled = shuffle.id == H5Z_FILTER_SHUFFLE && shuffle.first_value == element_bytes;
  return shuffled ? Filters::kShuffleAndDeflate : Filters::kOthers;
}

bool is_readable(const ChunkGrid& grid) {
  const std::size_t rank = grid.shape.size();
  if (rank < 1 || rank > 2 || grid.chunk.size() != rank) return false;
  const auto is_empty = [](std::size_t size) { return size == 0; };
  return std::none_of(grid.shape.begin(), grid.shape.end(), is_empty) &&
         std::none_of(grid.chunk.begin(), grid.chunk.end(), is_empty);
}

class LibraryChunks final : public ChunkSource {
 public:
  LibraryChunks(const Hdf5Handle& dataset, std::uint64_t file_bytes) : dataset_(dataset), file_bytes_(file_bytes) {}

  std::span<const std::byte> load(std::size_t row, std::size_t column) override {
    const Hdf5Call call;
    const std::array<hsize_t, 2> place{row, column};
    hsize_t bytes = 0;
    if (hdf5().Dget_chunk_storage_size(dataset_.id(), place.data(), &bytes) < 0 || bytes > file_bytes_) return {};
    if (stored_.size() < bytes) stored_.resize(bytes);
    std::uint32_t filters_left_out = 0;
    const bool is_read = bytes > 0 && hdf5().Dread_chunk(dataset_.id(), H5P_DEFAULT, place.data(), &filters_left_out,
                                                         stored_.data()) >= 0;
    return std::span(stored_).first(is_read && filters_left_out == 0 ? bytes : 0);
  }

 private:
  const Hdf5Handle& dataset_;
  std::uint64_t file_bytes_;
  std::vector<std::byte> stored_;
};

}  // namespace

Hdf5Chunks::Hdf5Chunks(std::unique_ptr<ChunkSource> source, const ChunkGrid& grid, bool shuffled)
    : source_(std::move(source)), grid_(grid), shuffled_(shuffled && grid.element_bytes > 1) {}

std::unique_ptr<Hdf5Chunks> Hdf5Chunks::of(const Hdf5Handle& dataset, const ChunkGrid& grid, std::uint64_t file_bytes) {
  const Filters filters = filters_of(dataset.id(), grid.element_bytes);
  if (filters == Filters::kOthers) return nullptr;
  return of(std::make_unique<LibraryChunks>(dataset, file_bytes), grid, filters == Filters::kShuffleAndDeflate);
}

std::unique_ptr<Hdf5Chunks> Hdf5Chunks::of(std::unique_ptr<ChunkSource> source, const ChunkGrid& grid, bool shuffled) {
  if (!is_readable(grid)) return nullptr;
  std::unique_ptr<Hdf5Chunks> chunks(new Hdf5Chunks(std::move(source), grid, shuffled));
  if (chunks->shuffled_ && grid.element_bytes != BytePlanes::kPlanes) return nullptr;
  const std::size_t row_of_chunks = std::max(chunks->columns(), chunks->chunk_columns()) * grid.element_bytes;
  return chunks->chunk_rows() <= kMaxBandBytes / row_of_chunks ? std::move(chunks) : nullptr;
}

bool Hdf5Chunks::read(std::size_t first, std::size_t count, std::span<std::byte> out) {
  const std::size_t end = first + count;
  while (first < end) {
    const std::size_t band = first / chunk_rows();
    const std::size_t band_start = band * chunk_rows();
    const std::size_t taken = std::min(band_start + chunk_rows(), end) - first;
    const std::size_t bytes = taken * row_bytes();
    if (band_held_ != band && taken == chunk_rows()) {
      if (!decode_band(band, out.first(bytes))) return false;
    } else {
      if (band_held_ != band) {
        band_held_ = kNoBand;
        band_.resize(std::min(chunk_rows(), grid_.shape[0] - band_start) * row_bytes());
        if (!decode_band(band, band_)) return false;
        band_held_ = band;
      }
      const auto rows = std::span(band_).subspan((first - band_start) * row_bytes(), bytes);
      std::copy(rows.begin(), rows.end(), out.begin());
    }
    out = out.subspan(bytes);
    first += taken;
  }
  return true;
}

// Decodes as many rows of the chunks as fit into `out`: chunks extend beyond the last row and column.
bool Hdf5Chunks::decode_band(std::size_t band, std::span<std::byte> out) {
  const std::size_t row = band * chunk_rows();
  if (chunk_columns() == columns()) return decode_chunk(row, 0, out);
  chunk_.resize(chunk_bytes());
  const std::size_t chunk_row_bytes = chunk_columns() * grid_.element_bytes;
  for (std::size_t column = 0; column < columns(); column += chunk_columns()) {
    if (!decode_chunk(row, column, chunk_)) return false;
    const std::size_t bytes = std::min(chunk_columns(), columns() - column) * grid_.element_bytes;
    std::byte* to = out.data() + column * grid_.element_bytes;
    const std::byte* from = chunk_.data();
    for (std::size_t i = 0; i < out.size() / row_bytes(); ++i, to += row_bytes(), from += chunk_row_bytes) {
      std::copy_n(from, bytes, to);
    }
  }
  return true;
}

bool Hdf5Chunks::decode_chunk(std::size_t row, std::size_t column, std::span<std::byte> out) {
  const std::span<const std::byte> stored = source_->load(row, column);
  if (stored.empty()) return false;
  if (!shuffled_ && out.size() == chunk_bytes()) return inflater_.inflate(stored, out);
  inflated_.resize(chunk_bytes());
  if (!inflater_.inflate(stored, inflated_)) return false;
  if (shuffled_) {
    join_planes(inflated_, out);
  } else {
    std::copy_n(inflated_.begin(), out.size(), out.begin());
  }
  return true;
}

}  // namespace bertprep
