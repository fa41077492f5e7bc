// Limits what a file makes HDF5 access: values in the file itself, decoded by built-in filters. Refuses links to other
// files, values stored elsewhere and plug-in filters before opening any other file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "shard/hdf5/hdf5_call.h"

namespace bertprep {

// The library's cache of decoded chunks of a dataset.
struct ChunkCache {
  std::size_t slots = 521;
  std::size_t bytes = std::size_t{1} << 20U;
};

// Opens object `name` of the root group of `file`, a dataset. The handle is not ok() if it can't be opened. Throws
// FormatError if `name` leads out of the file.
Hdf5Handle open_own_dataset(std::int64_t file, const std::string& name, const ChunkCache& cache,
                            const std::filesystem::path& path);
// Whether `name` is a dataset of the file. Throws as above.
bool is_own_dataset(std::int64_t file, const std::string& name, const std::filesystem::path& path);

// Throws FormatError if the values of `dataset` are in other files, or only a plug-in can decode them.
void refuse_foreign_values(std::int64_t dataset, const std::string& name, const std::filesystem::path& path);

// Throws FormatError if a file of `file_bytes` can't hold values of the shape of `what`, however well compressed.
void refuse_absurd_shape(std::span<const std::size_t> shape, std::size_t element_bytes, std::uint64_t file_bytes,
                         const std::string& what, const std::filesystem::path& path);

}  // namespace bertprep
