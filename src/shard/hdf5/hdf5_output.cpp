#include "shard/hdf5/hdf5_output.h"

#include <algorithm>
#include <array>

#include "shard/hdf5/hdf5_library.h"

namespace bertprep {
namespace {

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

Hdf5OutputFile::Hdf5OutputFile(const std::filesystem::path& path) : path_(path), sink_(path) {
  const Hdf5Call call;
  const Hdf5Handle access = sink_.access_properties();
  file_ = {hdf5().Fcreate(path.c_str(), kHdf5Truncate, H5P_DEFAULT, access.id()), hdf5().Fclose};
  if (!file_.ok()) call.fail_writing("can't create the shard", path);
  sink_.check();
}

void Hdf5OutputFile::close() {
  const Hdf5Call call;
  if (!file_.close()) call.fail_writing("can't close the shard", path_);
  sink_.check();
  sink_.close();
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
  file.sink().check();
}

void Hdf5OutputDataset::write_chunk(std::span<const std::size_t> offset, std::span<const std::byte> filtered) {
  const Hdf5Call call;
  const Extent at = dims_of(offset);
  if (hdf5().Dwrite_chunk(dataset_.id(), H5P_DEFAULT, 0, at.data(), filtered.size(), filtered.data()) < 0) {
    call.fail_writing("can't write to dataset '" + name_ + "'", file_->path());
  }
  file_->sink().check();
}

void Hdf5OutputDataset::close() {
  const Hdf5Call call;
  if (!dataset_.close()) call.fail_writing("can't close dataset '" + name_ + "'", file_->path());
  file_->sink().check();
}

}  // namespace bertprep
