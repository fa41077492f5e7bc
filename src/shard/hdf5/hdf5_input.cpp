#include "shard/hdf5/hdf5_input.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <string_view>
#include <utility>

#include "base/number_text.h"
#include "io/input_file.h"
#include "shard/hdf5/container.h"
#include "shard/hdf5/hdf5_library.h"

namespace bertprep {
namespace {

// The library's cache of decoded chunks of a dataset.
struct ChunkCache {
  std::size_t slots = 521;
  std::size_t bytes = std::size_t{1} << 20U;
};

// The first functions limit what a file makes HDF5 access: values in the file itself, decoded by built-in filters. They
// refuse links to other files, values stored elsewhere and plug-in filters before opening any other file.
constexpr const char* kCopyHint = "copy the values into one file, for example with h5py";

// Deflate packs at most this many bytes into one; a shard has several datasets.
constexpr std::uint64_t kMaxCompressionRatio = 1032;

herr_t note_and_refuse(const char*, const char*, const char* file, const char*, unsigned*, hid_t, void* noted) {
  *static_cast<std::string*>(noted) = file;
  return -1;
}

// For datasets and, as they are reached by links, any object. Does not follow a link out of the file, but stores the
// name of the other file in `other`.
Hdf5Handle access_within_file(const ChunkCache& cache, std::string& other) {
  constexpr double kDropReadChunksFirst = 1.0;
  Hdf5Handle access(hdf5().Pcreate(*hdf5().P_DATASET_ACCESS), hdf5().Pclose);
  hdf5().Pset_chunk_cache(access.id(), cache.slots, cache.bytes, kDropReadChunksFirst);
  hdf5().Pset_elink_cb(access.id(), note_and_refuse, &other);
  return access;
}

void refuse_link(const std::string& name, const std::string& other, const std::filesystem::path& path) {
  if (other.empty()) return;
  throw FormatError("dataset '" + name + "' is a link into another file, " + other, path.string(), kCopyHint);
}

bool is_known(H5Z_filter_t filter) {
  constexpr std::array<H5Z_filter_t, 6> kBuiltIn{H5Z_FILTER_DEFLATE, H5Z_FILTER_SHUFFLE, H5Z_FILTER_FLETCHER32,
                                                 H5Z_FILTER_SZIP,    H5Z_FILTER_NBIT,    H5Z_FILTER_SCALEOFFSET};
  return std::find(kBuiltIn.begin(), kBuiltIn.end(), filter) != kBuiltIn.end();
}

void refuse_plugins(hid_t properties, const std::string& name, const std::filesystem::path& path) {
  const int filters = hdf5().Pget_nfilters(properties);
  for (int i = 0; i < filters; ++i) {
    unsigned flags = 0;
    unsigned config = 0;
    std::size_t no_values = 0;
    const H5Z_filter_t filter =
        hdf5().Pget_filter2(properties, static_cast<unsigned>(i), &flags, &no_values, nullptr, 0, nullptr, &config);
    if (is_known(filter)) continue;
    throw FormatError(
        "dataset '" + name + "' needs filter " + std::to_string(filter) + ", which HDF5 would load as a plug-in",
        path.string(), "compress the values with deflate, for example with h5repack -f GZIP=4");
  }
}

// Opens object `name` of the root group of `file`, a dataset. The handle is not ok() if it can't be opened. Throws
// FormatError if `name` leads out of the file.
Hdf5Handle open_own_dataset(std::int64_t file, const std::string& name, const ChunkCache& cache,
                            const std::filesystem::path& path) {
  const Hdf5Call call;
  std::string other;
  const Hdf5Handle access = access_within_file(cache, other);
  Hdf5Handle dataset(hdf5().Dopen2(file, name.c_str(), access.id()), hdf5().Dclose);
  refuse_link(name, other, path);
  // Must come here: any further call of HDF5 clears the reason.
  if (!dataset.ok()) call.fail_reading("can't open dataset '" + name + "'", path);
  return dataset;
}

// Whether `name` is a dataset of the file. Throws as above.
bool is_own_dataset(std::int64_t file, const std::string& name, const std::filesystem::path& path) {
  std::string other;
  const Hdf5Handle access = access_within_file({}, other);
  const Hdf5Call call;
  const Hdf5Handle object(hdf5().Oopen(file, name.c_str(), access.id()), hdf5().Oclose);
  refuse_link(name, other, path);
  if (!object.ok()) call.throw_refusal("can't open '" + name + "'", path);
  return object.ok() && hdf5().Iget_type(object.id()) == H5I_DATASET;
}

// Throws FormatError if the values of `dataset` are in other files, or only a plug-in can decode them.
void refuse_foreign_values(std::int64_t dataset, const std::string& name, const std::filesystem::path& path) {
  const Hdf5Handle properties(hdf5().Dget_create_plist(dataset), hdf5().Pclose);
  if (!properties.ok()) Hdf5Call().fail_reading("can't tell how dataset '" + name + "' is stored", path);
  if (hdf5().Pget_layout(properties.id()) == H5D_VIRTUAL) {
    throw FormatError("dataset '" + name + "' is virtual: its values are in other files", path.string(), kCopyHint);
  }
  if (hdf5().Pget_external_count(properties.id()) > 0) {
    throw FormatError("dataset '" + name + "' has external storage: its values are in other files", path.string(),
                      kCopyHint);
  }
  refuse_plugins(properties.id(), name, path);
}

using Dims = std::vector<hsize_t>;

std::vector<std::size_t> shape_of(hid_t dataset) {
  const Hdf5Handle space(hdf5().Dget_space(dataset), hdf5().Sclose);
  const int rank = space.ok() ? hdf5().Sget_simple_extent_ndims(space.id()) : -1;
  if (rank < 0 || hdf5().Sget_simple_extent_type(space.id()) == H5S_NULL) return {};
  Dims dims(static_cast<std::size_t>(rank));
  hdf5().Sget_simple_extent_dims(space.id(), dims.data(), nullptr);
  return {dims.begin(), dims.end()};
}

// h5py writes Boolean masks as enums.
IntegerType base_of_enum(hid_t type) {
  const Hdf5Handle base(hdf5().Tget_super(type), hdf5().Tclose);
  if (!base.ok() || hdf5().Tget_size(base.id()) != 1) return {};
  return {1, hdf5().Tget_sign(base.id()) == H5T_SGN_2, false};
}

IntegerType type_of(hid_t dataset) {
  const Hdf5Handle type(hdf5().Dget_type(dataset), hdf5().Tclose);
  if (!type.ok()) return {};
  if (hdf5().Tget_class(type.id()) == H5T_ENUM) return base_of_enum(type.id());
  if (hdf5().Tget_class(type.id()) != H5T_INTEGER) return {};
  const std::size_t bytes = hdf5().Tget_size(type.id());
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) return {};
  return {bytes, hdf5().Tget_sign(type.id()) == H5T_SGN_2, bytes > 1 && hdf5().Tget_order(type.id()) == H5T_ORDER_BE};
}

hid_t memory_type(const IntegerType& type) {
  const Hdf5Library& h5 = hdf5();
  const std::array<std::pair<const hid_t*, const hid_t*>, 4> kinds = {{{h5.T_STD_I8LE, h5.T_STD_U8LE},
                                                                       {h5.T_STD_I16LE, h5.T_STD_U16LE},
                                                                       {h5.T_STD_I32LE, h5.T_STD_U32LE},
                                                                       {h5.T_STD_I64LE, h5.T_STD_U64LE}}};
  const auto& [of_signed, of_unsigned] = kinds[static_cast<std::size_t>(std::countr_zero(type.bytes))];
  return type.is_signed ? *of_signed : *of_unsigned;
}

// Empty without chunks.
std::vector<std::size_t> chunk_of(hid_t dataset, std::size_t rank) {
  const Hdf5Handle properties(hdf5().Dget_create_plist(dataset), hdf5().Pclose);
  if (!properties.ok() || rank == 0 || hdf5().Pget_layout(properties.id()) != H5D_CHUNKED) return {};
  Dims chunk(rank);
  if (hdf5().Pget_chunk(properties.id(), static_cast<int>(rank), chunk.data()) < 0) return {};
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
  Hdf5Handle transfer(hdf5().Pcreate(*hdf5().P_DATASET_XFER), hdf5().Pclose);
  hdf5().Pset_type_conv_cb(transfer.id(), refuse, nullptr);
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

void refuse_absurd_shape(std::span<const std::size_t> shape, std::size_t element_bytes, std::uint64_t file_bytes,
                         const std::string& what, const std::filesystem::path& path) {
  if (std::find(shape.begin(), shape.end(), std::size_t{0}) != shape.end()) return;
  std::uint64_t room = std::max<std::uint64_t>(file_bytes, 1) * kMaxCompressionRatio / element_bytes;
  for (const std::size_t size : shape) room /= size;
  if (room > 0) return;
  throw FormatError(
      what + " is " + shape_text(shape) + ", more than a file of " + std::to_string(file_bytes) + " bytes can hold",
      path.string(), "the file may be damaged; make or copy it again");
}

// Opened by the library when it is first needed.
class LazyHdf5File {
 public:
  LazyHdf5File(const std::filesystem::path& path, std::uint64_t size_bytes) : path_(path), size_bytes_(size_bytes) {}

  std::uint64_t size_bytes() const { return size_bytes_; }
  const std::filesystem::path& path() const { return path_; }
  const Hdf5Handle& handle() {
    if (!file_.ok()) open();
    return file_;
  }

 private:
  void open();

  std::filesystem::path path_;
  std::uint64_t size_bytes_;
  Hdf5Handle file_;
};

void LazyHdf5File::open() {
  const Hdf5Call call;
  const Hdf5Handle access(hdf5().Pcreate(*hdf5().P_FILE_ACCESS), hdf5().Pclose);
#if H5_VERSION_GE(1, 10, 7)
  hdf5().Pset_file_locking(access.id(), 0, 1);
#endif
  file_ = {hdf5().Fopen(path_.c_str(), kHdf5ReadOnly, access.id()), hdf5().Fclose};
  if (file_.ok()) return;
  call.throw_refusal("not a readable HDF5 file", path_);
  if (const std::string kind = kind_of(path_); !kind.empty()) {
    throw FormatError("not an HDF5 file: " + kind, path_, "give a shard, or make or copy it again");
  }
  call.fail_reading("not a readable HDF5 file", path_);
}

struct OwnShard {
  OwnShard(InputFile opened, StoredShard read) : file(std::move(opened)), shard(std::move(read)) {}

  std::optional<std::size_t> number_of(const std::string& name) const {
    const auto found = std::ranges::find(shard.plan, name, &DatasetPlan::name);
    if (found == shard.plan.end()) return std::nullopt;
    return static_cast<std::size_t>(found - shard.plan.begin());
  }

  InputFile file;
  StoredShard shard;
};

namespace {

class OwnChunks final : public ChunkSource {
 public:
  OwnChunks(std::shared_ptr<OwnShard> own, std::size_t number) : own_(std::move(own)), number_(number) {}

  std::span<const std::byte> load(std::size_t row, std::size_t column) override {
    const StoredChunk* chunk = own_->shard.find(number_, row, column);
    if (chunk == nullptr) return {};
    if (stored_.size() < chunk->size_bytes) stored_.resize(chunk->size_bytes);
    own_->file.seek(chunk->address);
    const std::size_t count = own_->file.read(std::span(stored_).first(chunk->size_bytes));
    return std::as_bytes(std::span(stored_).first(count == chunk->size_bytes ? count : 0));
  }

 private:
  std::shared_ptr<OwnShard> own_;
  std::size_t number_;
  std::vector<char> stored_;
};

}  // namespace

Hdf5InputFile::Hdf5InputFile(const std::filesystem::path& path) : path_(path) {
  std::error_code missing;
  const auto status = std::filesystem::status(path, missing);
  // Opening a pipe waits for a writer.
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw IoError("is not a regular file", path, "give a file of HDF5");
  }
  InputFile file(path);  // also distinguishes a missing file from a damaged one
  file_ = std::make_shared<LazyHdf5File>(path, file.size_bytes());
  if (auto shard = read_container(file)) {
    own_ = std::make_shared<OwnShard>(std::move(file), std::move(*shard));
  } else {
    file_->handle();
  }
}

std::vector<std::string> Hdf5InputFile::dataset_names() const {
  std::vector<std::string> names;
  if (own_ != nullptr) {
    for (const std::size_t number : datasets_by_name(own_->shard.plan)) names.push_back(own_->shard.plan[number].name);
    return names;
  }
  const Hdf5Call call;
  const std::int64_t file = file_->handle().id();
  if (hdf5().Literate(file, H5_INDEX_NAME, H5_ITER_INC, nullptr, add_name, &names) < 0) {
    call.fail_reading("can't list the datasets", path_);
  }
  std::erase_if(names, [&](const std::string& name) { return !is_own_dataset(file, name, path_); });
  std::sort(names.begin(), names.end());
  return names;
}

Hdf5InputDataset::Hdf5InputDataset(const Hdf5InputFile& file, const std::string& name)
    : path_(file.path()), name_(name), file_(file.file_) {
  const auto number = file.own_ == nullptr ? std::nullopt : file.own_->number_of(name);
  if (number) {
    describe_own(file.own_, *number);
  } else {
    describe_foreign();
  }
}

void Hdf5InputDataset::describe_own(const std::shared_ptr<OwnShard>& own, std::size_t number) {
  const DatasetPlan& plan = own->shard.plan[number];
  type_ = {plan.element_bytes, true, false};
  shape_ = plan.shape;
  chunk_ = plan.chunk;
  check_shape();
  chunks_ = Hdf5Chunks::of(std::make_unique<OwnChunks>(own, number), {shape_, chunk_, type_.bytes}, plan.shuffle);
}

void Hdf5InputDataset::check_shape() {
  refuse_absurd_shape(shape_, type_.bytes, file_->size_bytes(), "dataset '" + name_ + "'", path_);
  refuse_absurd_shape(chunk_, type_.bytes, file_->size_bytes(), "a chunk of dataset '" + name_ + "'", path_);
}

void Hdf5InputDataset::describe_foreign() {
  const Hdf5Call call;
  const std::int64_t file = file_->handle().id();
  const htri_t is_present = hdf5().Lexists(file, name_.c_str(), H5P_DEFAULT);
  if (is_present < 0) call.throw_refusal("can't search for dataset '" + name_ + "'", path_);
  if (is_present <= 0) {
    throw FormatError("there is no dataset '" + name_ + "'", path_.string(), "is this a shard of BERT instances?");
  }
  {
    const Hdf5Handle dataset = open_own_dataset(file, name_, {}, path_);
    refuse_foreign_values(dataset.id(), name_, path_);
    type_ = type_of(dataset.id());
    if (type_.bytes == 0) {
      throw FormatError("dataset '" + name_ + "' does not hold integers of 8, 16, 32 or 64 bits", path_.string());
    }
    shape_ = shape_of(dataset.id());
    chunk_ = chunk_of(dataset.id(), shape_.size());
    check_shape();
  }
  chunks_ = Hdf5Chunks::of(handle(), {shape_, chunk_, type_.bytes}, file_->size_bytes());
}

const Hdf5Handle& Hdf5InputDataset::handle() const {
  if (dataset_ == nullptr) {
    const ChunkCache cache = cache_with_room_for(band_of(shape_, chunk_, type_.bytes));
    dataset_ = std::make_unique<Hdf5Handle>(open_own_dataset(file_->handle().id(), name_, cache, path_));
  }
  return *dataset_;
}

std::string Hdf5InputDataset::shape_text() const {
  return name_ + " is " + (shape_.empty() ? "a single value" : bertprep::shape_text(shape_));
}

std::size_t Hdf5InputDataset::rows_within(std::size_t bytes, std::size_t chunks) const {
  std::size_t row_bytes = type_.bytes;
  for (std::size_t i = 1; i < shape_.size(); ++i) row_bytes *= shape_[i];
  const std::size_t rows = std::max<std::size_t>(bytes / std::max<std::size_t>(row_bytes, 1), 1);
  if (chunk_rows() == 0) return rows;
  const std::size_t side_by_side = std::max<std::size_t>(band_of(shape_, chunk_, type_.bytes).chunks, 1);
  const std::size_t bands = std::max<std::size_t>(chunks / side_by_side, 1);
  return bands > rows / chunk_rows() ? rows : bands * chunk_rows();
}

bool Hdf5InputDataset::read_chunks(std::span<const std::size_t> first, std::span<const std::size_t> count,
                                   const IntegerType& wanted, std::span<std::byte> out) const {
  const bool whole_rows = first.size() < 2 || (first[1] == 0 && count[1] == shape_[1]);
  const bool as_stored = wanted.bytes == type_.bytes && wanted.is_signed == type_.is_signed && !type_.big_endian;
  if (!chunks_ || !whole_rows || !as_stored) return false;
  if (!chunks_->read(first[0], count[0], out)) chunks_.reset();
  return chunks_ != nullptr;
}

void Hdf5InputDataset::read(std::span<const std::size_t> first, std::span<const std::size_t> count,
                            const IntegerType& wanted, std::span<std::byte> out) const {
  if (!out.empty() && !read_chunks(first, count, wanted, out)) read_by_library(first, count, wanted, out);
}

void Hdf5InputDataset::read_by_library(std::span<const std::size_t> first, std::span<const std::size_t> count,
                                       const IntegerType& wanted, std::span<std::byte> out) const {
  const Hdf5Call call;
  const std::int64_t dataset = handle().id();
  const Dims start(first.begin(), first.end());
  const Dims size(count.begin(), count.end());
  const Hdf5Handle file_space(hdf5().Dget_space(dataset), hdf5().Sclose);
  const Hdf5Handle memory_space(hdf5().Screate_simple(static_cast<int>(size.size()), size.data(), nullptr),
                                hdf5().Sclose);
  const Hdf5Handle transfer = strict_transfer();
  const bool selected = start.empty() || hdf5().Sselect_hyperslab(file_space.id(), H5S_SELECT_SET, start.data(),
                                                                  nullptr, size.data(), nullptr) >= 0;
  if (!selected ||
      hdf5().Dread(dataset, memory_type(wanted), memory_space.id(), file_space.id(), transfer.id(), out.data()) < 0) {
    call.fail_reading("can't read dataset '" + name_ + "'", path_);
  }
}

}  // namespace bertprep
