// How a dataset is stored in its file, in the notation of hdf5_layout.tsv.
#pragma once

#include <filesystem>
#include <string>

namespace bertprep::test {

struct DatasetStorage {
  std::string type;
  std::string shape;
  std::string max_shape;
  std::string chunks;
  std::string filters;
  std::string storage_bytes;
  std::string attributes;
  std::string fill_time;
  std::string alloc_time;
  std::string track_times;
};

DatasetStorage storage_of(const std::filesystem::path& path, const std::string& dataset);

// True if HDF5 is 1.10.8, the reference's: a container's bytes follow from library versions as well.
bool has_reference_hdf5();

}  // namespace bertprep::test
