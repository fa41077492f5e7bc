#include "golden/shard/dataset_storage.h"

#include <hdf5.h>

#include <array>
#include <vector>

namespace bertprep::test {
namespace {

std::string tuple(const std::vector<hsize_t>& sizes) {
  std::string text;
  for (const hsize_t size : sizes) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "(" + text + (sizes.size() == 1 ? ",)" : ")");
}

std::string filters_of(hid_t properties) {
  std::string text;
  for (int i = 0; i < H5Pget_nfilters(properties); ++i) {
    unsigned flags = 0;
    std::size_t count = 1;
    unsigned value = 0;
    const H5Z_filter_t id =
        H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &count, &value, 0, nullptr, nullptr);
    text += id == H5Z_FILTER_DEFLATE ? "deflate(" + std::to_string(value) + ")" : "filter " + std::to_string(id);
  }
  return text;
}

std::string type_of(hid_t dataset) {
  const hid_t type = H5Dget_type(dataset);
  std::string name = "another type";
  if (H5Tequal(type, H5T_STD_I32LE) > 0) name = "H5T_STD_I32LE";
  if (H5Tequal(type, H5T_STD_I8LE) > 0) name = "H5T_STD_I8LE";
  H5Tclose(type);
  return name;
}

void read_shapes(hid_t dataset, DatasetStorage& storage) {
  const hid_t space = H5Dget_space(dataset);
  const auto rank = static_cast<std::size_t>(H5Sget_simple_extent_ndims(space));
  std::vector<hsize_t> shape(rank), max_shape(rank);
  H5Sget_simple_extent_dims(space, shape.data(), max_shape.data());
  H5Sclose(space);
  storage.shape = tuple(shape);
  storage.max_shape = tuple(max_shape);
}

void read_properties(hid_t dataset, DatasetStorage& storage) {
  const hid_t properties = H5Dget_create_plist(dataset);
  std::vector<hsize_t> chunk(2);
  chunk.resize(static_cast<std::size_t>(H5Pget_chunk(properties, 2, chunk.data())));
  H5D_fill_time_t fill{};
  H5D_alloc_time_t alloc{};
  hbool_t times = 0;
  H5Pget_fill_time(properties, &fill);
  H5Pget_alloc_time(properties, &alloc);
  H5Pget_obj_track_times(properties, &times);
  storage.chunks = tuple(chunk);
  storage.filters = filters_of(properties);
  storage.fill_time = std::to_string(static_cast<int>(fill));
  storage.alloc_time = std::to_string(static_cast<int>(alloc));
  storage.track_times = std::to_string(static_cast<int>(times));
  H5Pclose(properties);
}

std::string attribute_count(hid_t dataset) {
  // H5Oget_info wants other arguments in each release of HDF5.
  int count = 0;
  const auto add = [](hid_t, const char*, const H5A_info_t*, void* total) -> herr_t {
    ++*static_cast<int*>(total);
    return 0;
  };
  H5Aiterate2(dataset, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, add, &count);
  return std::to_string(count);
}

}  // namespace

DatasetStorage storage_of(const std::filesystem::path& path, const std::string& dataset) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t opened = H5Dopen2(file, dataset.c_str(), H5P_DEFAULT);
  DatasetStorage storage;
  storage.type = type_of(opened);
  storage.storage_bytes = std::to_string(H5Dget_storage_size(opened));
  storage.attributes = attribute_count(opened);
  read_shapes(opened, storage);
  read_properties(opened, storage);
  H5Dclose(opened);
  H5Fclose(file);
  return storage;
}

bool has_reference_hdf5() {
  std::array<unsigned, 3> version{};
  H5get_libversion(&version[0], &version[1], &version[2]);
  return version == std::array<unsigned, 3>{1, 10, 8};
}

}  // namespace bertprep::test
