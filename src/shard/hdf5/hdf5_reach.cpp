#include "shard/hdf5/hdf5_reach.h"

#include <algorithm>
#include <array>

#include "base/number_text.h"
#include "shard/hdf5/hdf5_library.h"

namespace bertprep {
namespace {

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

}  // namespace

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

bool is_own_dataset(std::int64_t file, const std::string& name, const std::filesystem::path& path) {
  std::string other;
  const Hdf5Handle access = access_within_file({}, other);
  const Hdf5Call call;
  const Hdf5Handle object(hdf5().Oopen(file, name.c_str(), access.id()), hdf5().Oclose);
  refuse_link(name, other, path);
  if (!object.ok()) call.throw_refusal("can't open '" + name + "'", path);
  return object.ok() && hdf5().Iget_type(object.id()) == H5I_DATASET;
}

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

}  // namespace bertprep
