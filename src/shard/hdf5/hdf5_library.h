// The functions and identifiers of HDF5's library, which is loaded when the first of them is needed: our own shards are
// read and written without it (container.h). Names are HDF5's without their prefix H5.
#pragma once

#include <hdf5.h>

#include "shard/hdf5/functions.h"

namespace bertprep {

struct Hdf5Library : Hdf5Functions {
#if H5_VERSION_GE(1, 12, 0)
  decltype(&::H5Literate2) Literate = library["H5Literate2"];
#else
  decltype(&::H5Literate) Literate = library["H5Literate"];
#endif
#if H5_VERSION_GE(1, 10, 7)
  decltype(&::H5Pset_file_locking) Pset_file_locking = library["H5Pset_file_locking"];
#endif
  // Valid once the library is open.
  const hid_t* P_DATASET_ACCESS = library["H5P_CLS_DATASET_ACCESS_ID_g"];
  const hid_t* P_DATASET_CREATE = library["H5P_CLS_DATASET_CREATE_ID_g"];
  const hid_t* P_DATASET_XFER = library["H5P_CLS_DATASET_XFER_ID_g"];
  const hid_t* P_FILE_ACCESS = library["H5P_CLS_FILE_ACCESS_ID_g"];
  const hid_t* T_STD_I16LE = library["H5T_STD_I16LE_g"];
  const hid_t* T_STD_I32LE = library["H5T_STD_I32LE_g"];
  const hid_t* T_STD_I64LE = library["H5T_STD_I64LE_g"];
  const hid_t* T_STD_I8LE = library["H5T_STD_I8LE_g"];
  const hid_t* T_STD_U16LE = library["H5T_STD_U16LE_g"];
  const hid_t* T_STD_U32LE = library["H5T_STD_U32LE_g"];
  const hid_t* T_STD_U64LE = library["H5T_STD_U64LE_g"];
  const hid_t* T_STD_U8LE = library["H5T_STD_U8LE_g"];
};

// How a file is opened; HDF5's names for them are calls of the library.
inline constexpr unsigned kHdf5ReadOnly = 0;
inline constexpr unsigned kHdf5Truncate = 2;

// Throws Error if there is no HDF5.
const Hdf5Library& hdf5();

}  // namespace bertprep
