// The chunk shape h5py gives a dataset when it is not told one; shards of the reference have it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace bertprep {

// The shape for a dataset of `shape` with elements of `element_bytes`. Dimensions of 0 count as 1024.
// Source: what h5py's automatic chunking does (h5py 2 and 3): halve the dimensions in turn, the first one
// first, until a chunk comes near a target that grows with the logarithm of the dataset's size.
std::vector<std::size_t> guess_chunk(std::span<const std::size_t> shape, std::size_t element_bytes);

}  // namespace bertprep
