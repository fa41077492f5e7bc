#include "shard/hdf5/hdf5_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "shard/hdf5/hdf5_library.h"

#if H5_VERSION_GE(1, 13, 2)
#include <H5FDdevelop.h>
#endif

namespace bertprep {
namespace {

// The library's state of an open file; it requires its own part first.
struct OpenFile {
  H5FD_t library_part{};
  Hdf5OutputFile* sink = nullptr;
  haddr_t end_of_address_space = 0;
};

OpenFile& open_file(H5FD_t* file) {
  return *static_cast<OpenFile*>(static_cast<void*>(file));
}
const OpenFile& open_file(const H5FD_t* file) {
  return *static_cast<const OpenFile*>(static_cast<const void*>(file));
}

H5FD_t* open_sink(const char*, unsigned, hid_t access, haddr_t) {
  const void* info = hdf5().Pget_driver_info(access);
  if (info == nullptr) return nullptr;
  auto file = std::make_unique<OpenFile>();
  std::memcpy(&file->sink, info, sizeof(file->sink));
  return &file.release()->library_part;
}

herr_t close_sink(H5FD_t* file) {
  const std::unique_ptr<OpenFile> owned(&open_file(file));
  return 0;
}

int compare(const H5FD_t* a, const H5FD_t* b) {
  const std::less<const Hdf5OutputFile*> before;
  if (before(open_file(a).sink, open_file(b).sink)) return -1;
  return before(open_file(b).sink, open_file(a).sink) ? 1 : 0;
}

// These flags determine the layout of the file; they are those of the default driver.
herr_t query(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t get_eoa(const H5FD_t* file, H5FD_mem_t) {
  return open_file(file).end_of_address_space;
}

herr_t set_eoa(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  open_file(file).end_of_address_space = address;
  return 0;
}

haddr_t get_eof(const H5FD_t* file, H5FD_mem_t) {
  return open_file(file).sink->size_bytes();
}

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t offset, std::size_t size, void* buffer) {
  open_file(file).sink->read(offset, {static_cast<char*>(buffer), size});
  return 0;
}

herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t offset, std::size_t size, const void* buffer) {
  open_file(file).sink->write(offset, {static_cast<const char*>(buffer), size});
  return 0;
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  OpenFile& open = open_file(file);
  if (open.sink->size_bytes() != open.end_of_address_space) open.sink->resize(open.end_of_address_space);
  return 0;
}

H5FD_class_t driver_class() {
  constexpr H5FD_mem_t kMetadataApartFromData[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
  constexpr haddr_t kMaxAddress = (haddr_t{1} << 63U) - 1;
  H5FD_class_t driver{};
#if H5_VERSION_GE(1, 13, 2)
  constexpr H5FD_class_value_t kOwnDriver = 511;  // the last of the values reserved for unregistered use
  driver.version = H5FD_CLASS_VERSION;
  driver.value = kOwnDriver;
#endif
  driver.name = "bertprep";
  driver.maxaddr = kMaxAddress;
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.fapl_size = sizeof(Hdf5OutputFile*);
  driver.open = open_sink;
  driver.close = close_sink;
  driver.cmp = compare;
  driver.query = query;
  driver.get_eoa = get_eoa;
  driver.set_eoa = set_eoa;
  driver.get_eof = get_eof;
  driver.read = read;
  driver.write = write;
  driver.truncate = truncate;
  std::copy(std::begin(kMetadataApartFromData), std::end(kMetadataApartFromData), std::begin(driver.fl_map));
  return driver;
}

constexpr std::size_t kMaxRank = 2;
using Extent = std::array<hsize_t, kMaxRank>;

Extent dims_of(std::span<const std::size_t> sizes) {
  Extent dims{};
  std::copy(sizes.begin(), sizes.end(), dims.begin());
  return dims;
}

Hdf5Handle dataspace(const DatasetPlan& plan) {
  const Extent dims = dims_of(plan.shape);
  return {hdf5().Screate_simple(static_cast<int>(plan.shape.size()), dims.data(), nullptr), hdf5().Sclose};
}

// As h5py sets them, so that a file in the reference's layout is the reference's file.
Hdf5Handle dataset_properties(const DatasetPlan& plan, unsigned deflate_level) {
  Hdf5Handle properties(hdf5().Pcreate(*hdf5().P_DATASET_CREATE), hdf5().Pclose);
  const hid_t id = properties.id();
  const Extent chunk = dims_of(plan.chunk);
  const bool set = hdf5().Pset_chunk(id, static_cast<int>(plan.chunk.size()), chunk.data()) >= 0 &&
                   hdf5().Pset_fill_time(id, H5D_FILL_TIME_ALLOC) >= 0 && hdf5().Pset_obj_track_times(id, 0) >= 0 &&
                   (!plan.shuffle || hdf5().Pset_shuffle(id) >= 0) && hdf5().Pset_deflate(id, deflate_level) >= 0;
  return set ? std::move(properties) : Hdf5Handle{};
}

}  // namespace

Hdf5OutputFile::Hdf5OutputFile(const std::filesystem::path& path)
    : path_(path), file_(path, O_RDWR | O_CREAT | O_TRUNC, "can't create the shard") {
  const Hdf5Call call;
  const H5FD_class_t driver = driver_class();
  driver_ = {hdf5().FDregister(&driver), hdf5().FDunregister};
  const Hdf5Handle access(hdf5().Pcreate(*hdf5().P_FILE_ACCESS), hdf5().Pclose);
  Hdf5OutputFile* const self = this;
  hdf5().Pset_driver(access.id(), driver_.id(), &self);
  handle_ = {hdf5().Fcreate(path.c_str(), kHdf5Truncate, H5P_DEFAULT, access.id()), hdf5().Fclose};
  if (!handle_.ok()) call.fail_writing("can't create the shard", path);
  check();
}

void Hdf5OutputFile::check() const {
  if (error_number_ != 0) throw IoError::from_errno("can't write the shard", path_.string(), error_number_);
}

void Hdf5OutputFile::close() {
  const Hdf5Call call;
  if (!handle_.close()) call.fail_writing("can't close the shard", path_);
  check();
  file_.finish(path_, "can't write the shard");
}

void Hdf5OutputFile::keep_error() {
  if (error_number_ == 0) error_number_ = errno;
}

void Hdf5OutputFile::write(std::uint64_t offset, std::span<const char> bytes) {
  size_bytes_ = std::max(size_bytes_, offset + bytes.size());
  while (!bytes.empty() && error_number_ == 0) {
    const ssize_t count = ::pwrite(file_.number(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return keep_error();
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
}

// Bytes never written are 0, as in any file.
void Hdf5OutputFile::read(std::uint64_t offset, std::span<char> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::pread(file_.number(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) keep_error();
    if (count <= 0) break;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  std::fill(bytes.begin(), bytes.end(), '\0');
}

void Hdf5OutputFile::resize(std::uint64_t size_bytes) {
  size_bytes_ = size_bytes;
  if (error_number_ == 0 && ::ftruncate(file_.number(), static_cast<off_t>(size_bytes)) != 0) keep_error();
}

Hdf5OutputDataset::Hdf5OutputDataset(const Hdf5OutputFile& file, const DatasetPlan& plan, unsigned deflate_level)
    : file_(&file), name_(plan.name) {
  const Hdf5Call call;
  const Hdf5Handle space = dataspace(plan);
  const Hdf5Handle properties = dataset_properties(plan, deflate_level);
  const hid_t type = plan.element_bytes == 1 ? *hdf5().T_STD_I8LE : *hdf5().T_STD_I32LE;
  dataset_ = {
      hdf5().Dcreate2(file.handle().id(), name_.c_str(), type, space.id(), H5P_DEFAULT, properties.id(), H5P_DEFAULT),
      hdf5().Dclose};
  if (!dataset_.ok()) call.fail_writing("can't create dataset '" + name_ + "'", file.path());
  file.check();
}

void Hdf5OutputDataset::write_chunk(std::span<const std::size_t> offset, std::span<const std::byte> filtered) {
  const Hdf5Call call;
  const Extent at = dims_of(offset);
  if (hdf5().Dwrite_chunk(dataset_.id(), H5P_DEFAULT, 0, at.data(), filtered.size(), filtered.data()) < 0) {
    call.fail_writing("can't write to dataset '" + name_ + "'", file_->path());
  }
  file_->check();
}

void Hdf5OutputDataset::close() {
  const Hdf5Call call;
  if (!dataset_.close()) call.fail_writing("can't close dataset '" + name_ + "'", file_->path());
  file_->check();
}

}  // namespace bertprep
