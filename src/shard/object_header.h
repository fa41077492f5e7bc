// Object headers: how an HDF5 file describes a dataset or a group, as a list of messages.
// Source: HDF5 File Format Specification, IV.A.1.a and IV.A.2; values are those that the library writes.
#pragma once

#include <cstdint>

#include "shard/little_endian.h"
#include "shard/shard_layout.h"

namespace bertprep {

// A chunked dataset of signed integers, shuffled where the plan says so and deflated, whose chunk index lies at
// `index`.
LittleEndianBytes dataset_header(const DatasetPlan& plan, unsigned deflate_level, std::uint64_t index);

// A group whose names are in the B-tree at `tree` and the local heap at `heap`.
LittleEndianBytes group_header(std::uint64_t tree, std::uint64_t heap);

}  // namespace bertprep
