#include "shard/hdf5/hdf5_input.h"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/number_text.h"
#include "io/input_file.h"
#include "shard/hdf5/hdf5_reach.h"

namespace bertprep {
namespace {

using Dims = std::vector<hsize_t>;

std::vector<std::size_t> shape_of(hid_t dataset) {
  const Hdf5Handle space(H5Dget_space(dataset), H5Sclose);
  const int rank = space.ok() ? H5Sget_simple_extent_ndims(space.id()) : -1;
  if (rank < 0 || H5Sget_simple_extent_type(space.id()) == H5S_NULL) return {};
  Dims dims(static_cast<std::size_t>(rank));
  H5Sget_simple_extent_dims(space.id(), dims.data(), nullptr);
  return {dims.begin(), dims.end()};
}

// h5py writes Boolean masks as enums.
IntegerType base_of_enum(hid_t type) {
  const Hdf5Handle base(H5Tget_super(type), H5Tclose);
  if (!base.ok() || H5Tget_size(base.id()) != 1) return {};
  return {1, H5Tget_sign(base.id()) == H5T_SGN_2, false};
}

IntegerType type_of(hid_t dataset) {
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose);
  if (!type.ok()) return {};
  if (H5Tget_class(type.id()) == H5T_ENUM) return base_of_enum(type.id());
  if (H5Tget_class(type.id()) != H5T_INTEGER) return {};
  const std::size_t bytes = H5Tget_size(type.id());
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) return {};
  return {bytes, H5Tget_sign(type.id()) == H5T_SGN_2, bytes > 1 && H5Tget_order(type.id()) == H5T_ORDER_BE};
}

hid_t memory_type(const IntegerType& type) {
  switch (type.bytes) {
    case 1:
      return type.is_signed ? H5T_STD_I8LE : H5T_STD_U8LE;
    case 2:
      return type.is_signed ? H5T_STD_I16LE : H5T_STD_U16LE;
    case 4:
      return type.is_signed ? H5T_STD_I32LE : H5T_STD_U32LE;
    default:
      return type.is_signed ? H5T_STD_I64LE : H5T_STD_U64LE;
  }
}

// Empty without chunks.
std::vector<std::size_t> chunk_of(hid_t dataset, std::size_t rank) {
  const Hdf5Handle properties(H5Dget_create_plist(dataset), H5Pclose);
  if (!properties.ok() || rank == 0 || H5Pget_layout(properties.id()) != H5D_CHUNKED) return {};
  Dims chunk(rank);
  if (H5Pget_chunk(properties.id(), static_cast<int>(rank), chunk.data()) < 0) return {};
  return {chunk.begin(), chunk.end()};
}

// Chunks in one row; 0 without chunks. Chunk dimensions that contradict the shape are reported as damage elsewhere.
struct ChunkBand {
  std::size_t chunks = 0;
  std::size_t bytes = 0;
};

ChunkBand band_of(std::span<const std::size_t> shape, std::span<const std::size_t> chunk, std::size_t element_bytes) {
  if (chunk.empty()) return {};
  ChunkBand band{1, element_bytes};
  for (std::size_t i = 0; i < shape.size(); ++i) {
    band.bytes *= chunk[i];
    if (i > 0) band.chunks *= (shape[i] + chunk[i] - 1) / chunk[i];
  }
  band.bytes *= band.chunks;
  return band;
}

// By default, the library caches 1 MiB of decoded chunks. If the chunks of one row take more, each would be decoded
// again for every row.
ChunkCache cache_with_room_for(const ChunkBand& band) {
  constexpr std::size_t kMaxBytes = std::size_t{64} << 20U;
  constexpr std::size_t kMaxSlots = 100003;
  ChunkCache cache;
  if (band.chunks > cache.slots / 10) cache.slots = std::min(10 * band.chunks + 1, kMaxSlots);
  cache.bytes = std::clamp(band.bytes, cache.bytes, kMaxBytes);
  return cache;
}

H5T_conv_ret_t refuse(H5T_conv_except_t, hid_t, hid_t, void*, void*, void*) {
  return H5T_CONV_ABORT;
}

// By default, the library replaces a value that doesn't fit by the nearest.
Hdf5Handle strict_transfer() {
  Hdf5Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
  H5Pset_type_conv_cb(transfer.id(), refuse, nullptr);
  return transfer;
}

// What a file that is not HDF5 is; empty if unknown.
std::string kind_of(const std::filesystem::path& path) {
  constexpr std::array<std::pair<std::string_view, const char*>, 7> kKinds = {
      {{"\x1F\x8B", "it is packed by gzip"},
       {"BZh", "it is packed by bzip2"},
       {"\x28\xB5\x2F\xFD", "it is packed by zstd"},
       {"\xFD\x37\x7AXZ", "it is packed by xz"},
       {"PK\x03\x04", "it is a zip archive"},
       {"PAR1", "it is Parquet"},
       {"%PDF", "it is a PDF"}}};
  std::array<char, 512> bytes;
  const std::string_view begin(bytes.data(), InputFile(path).read(bytes));
  if (begin.empty()) return "it is empty (0 bytes)";
  for (const auto& [magic, kind] : kKinds) {
    if (begin.starts_with(magic)) return kind;
  }
  const auto is_text = [](char c) { return static_cast<unsigned char>(c) >= ' ' || (c >= '\t' && c <= '\r'); };
  return std::all_of(begin.begin(), begin.end(), is_text) ? "it is text" : "";
}

herr_t add_name(hid_t, const char* name, const H5L_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

}  // namespace

Hdf5InputFile::Hdf5InputFile(const std::filesystem::path& path) : path_(path) {
  std::error_code missing;
  const auto status = std::filesystem::status(path, missing);
  // Opening a pipe waits for a writer.
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw IoError("is not a regular file", path, "give a file of HDF5");
  }
  size_bytes_ = InputFile(path).size_bytes();  // also distinguishes a missing file from a damaged one
  const Hdf5Call call;
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
#if H5_VERSION_GE(1, 10, 7)
  H5Pset_file_locking(access.id(), 0, 1);
#endif
  file_ = {H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose};
  if (file_.ok()) return;
  call.throw_refusal("not a readable HDF5 file", path);
  if (const std::string kind = kind_of(path); !kind.empty()) {
    throw FormatError("not an HDF5 file: " + kind, path, "give a shard, or make or copy it again");
  }
  call.fail_reading("not a readable HDF5 file", path);
}

std::vector<std::string> Hdf5InputFile::dataset_names() const {
  const Hdf5Call call;
  std::vector<std::string> names;
  if (H5Literate(file_.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add_name, &names) < 0) {
    call.fail_reading("can't list the datasets", path_);
  }
  std::erase_if(names, [&](const std::string& name) { return !is_own_dataset(file_.id(), name, path_); });
  std::sort(names.begin(), names.end());
  return names;
}

Hdf5InputDataset::Hdf5InputDataset(const Hdf5InputFile& file, const std::string& name)
    : path_(file.path()), name_(name) {
  const Hdf5Call call;
  const htri_t is_present = H5Lexists(file.handle().id(), name.c_str(), H5P_DEFAULT);
  if (is_present < 0) call.throw_refusal("can't search for dataset '" + name + "'", path_);
  if (is_present <= 0) {
    throw FormatError("there is no dataset '" + name + "'", path_.string(), "is this a shard of BERT instances?");
  }
  dataset_ = open_own_dataset(file.handle().id(), name, {}, path_);
  refuse_foreign_values(dataset_.id(), name, path_);
  type_ = type_of(dataset_.id());
  if (type_.bytes == 0) {
    throw FormatError("dataset '" + name + "' does not hold integers of 8, 16, 32 or 64 bits", path_.string());
  }
  shape_ = shape_of(dataset_.id());
  const std::vector<std::size_t> chunk = chunk_of(dataset_.id(), shape_.size());
  refuse_absurd_shape(shape_, type_.bytes, file.size_bytes(), "dataset '" + name + "'", path_);
  refuse_absurd_shape(chunk, type_.bytes, file.size_bytes(), "a chunk of dataset '" + name + "'", path_);
  const ChunkBand band = band_of(shape_, chunk, type_.bytes);
  if (!chunk.empty()) chunk_rows_ = {chunk[0], std::max<std::size_t>(band.chunks, 1)};
  const ChunkCache cache = cache_with_room_for(band);
  dataset_.close();
  dataset_ = open_own_dataset(file.handle().id(), name, cache, path_);
  chunks_ = Hdf5Chunks::of(dataset_, {shape_, chunk, type_.bytes}, file.size_bytes());
}

std::string Hdf5InputDataset::shape_text() const {
  return name_ + " is " + (shape_.empty() ? "a single value" : bertprep::shape_text(shape_));
}

std::size_t Hdf5InputDataset::rows_within(std::size_t bytes, std::size_t chunks) const {
  std::size_t row_bytes = type_.bytes;
  for (std::size_t i = 1; i < shape_.size(); ++i) row_bytes *= shape_[i];
  const std::size_t rows = std::max<std::size_t>(bytes / std::max<std::size_t>(row_bytes, 1), 1);
  if (chunk_rows_.rows == 0) return rows;
  const std::size_t bands = std::max<std::size_t>(chunks / chunk_rows_.chunks, 1);
  return bands > rows / chunk_rows_.rows ? rows : bands * chunk_rows_.rows;
}

bool Hdf5InputDataset::read_chunks(std::span<const std::size_t> first, std::span<const std::size_t> count,
                                   const IntegerType& wanted, std::span<std::byte> out) const {
  const bool whole_rows = first.size() < 2 || (first[1] == 0 && count[1] == shape_[1]);
  const bool as_stored = wanted.bytes == type_.bytes && wanted.is_signed == type_.is_signed && !type_.big_endian;
  if (!chunks_ || !whole_rows || !as_stored) return false;
  if (!chunks_->read(dataset_, first[0], count[0], out)) chunks_.reset();
  return chunks_ != nullptr;
}

void Hdf5InputDataset::read(std::span<const std::size_t> first, std::span<const std::size_t> count,
                            const IntegerType& wanted, std::span<std::byte> out) const {
  if (out.empty() || read_chunks(first, count, wanted, out)) return;
  const Hdf5Call call;
  const Dims start(first.begin(), first.end());
  const Dims size(count.begin(), count.end());
  const Hdf5Handle file_space(H5Dget_space(dataset_.id()), H5Sclose);
  const Hdf5Handle memory_space(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose);
  const Hdf5Handle transfer = strict_transfer();
  const bool selected = start.empty() || H5Sselect_hyperslab(file_space.id(), H5S_SELECT_SET, start.data(), nullptr,
                                                             size.data(), nullptr) >= 0;
  if (!selected ||
      H5Dread(dataset_.id(), memory_type(wanted), memory_space.id(), file_space.id(), transfer.id(), out.data()) < 0) {
    call.fail_reading("can't read dataset '" + name_ + "'", path_);
  }
}

}  // namespace bertprep
