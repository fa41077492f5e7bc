// The functions and identifiers of HDF5's library, which is loaded when the first of them is needed: our own shards are
// read and written without it (container.h). Names are HDF5's without their prefix H5.
#pragma once

#include <hdf5.h>

#include "io/loaded_library.h"

namespace bertprep {

struct Hdf5Library {
  LoadedLibrary library{BERTPREP_HDF5_NAME, BERTPREP_HDF5_FILE};
  decltype(&::H5Dclose) Dclose = library["H5Dclose"];
  decltype(&::H5Dcreate2) Dcreate2 = library["H5Dcreate2"];
  decltype(&::H5Dget_chunk_storage_size) Dget_chunk_storage_size = library["H5Dget_chunk_storage_size"];
  decltype(&::H5Dget_create_plist) Dget_create_plist = library["H5Dget_create_plist"];
  decltype(&::H5Dget_space) Dget_space = library["H5Dget_space"];
  decltype(&::H5Dget_type) Dget_type = library["H5Dget_type"];
  decltype(&::H5Dopen2) Dopen2 = library["H5Dopen2"];
  decltype(&::H5Dread) Dread = library["H5Dread"];
  decltype(&::H5Dread_chunk) Dread_chunk = library["H5Dread_chunk"];
  decltype(&::H5Dwrite_chunk) Dwrite_chunk = library["H5Dwrite_chunk"];
  decltype(&::H5Eget_auto2) Eget_auto2 = library["H5Eget_auto2"];
  decltype(&::H5Eset_auto2) Eset_auto2 = library["H5Eset_auto2"];
  decltype(&::H5Ewalk2) Ewalk2 = library["H5Ewalk2"];
  decltype(&::H5FDregister) FDregister = library["H5FDregister"];
  decltype(&::H5FDunregister) FDunregister = library["H5FDunregister"];
  decltype(&::H5Fclose) Fclose = library["H5Fclose"];
  decltype(&::H5Fcreate) Fcreate = library["H5Fcreate"];
  decltype(&::H5Fopen) Fopen = library["H5Fopen"];
  decltype(&::H5Iget_type) Iget_type = library["H5Iget_type"];
  decltype(&::H5Lexists) Lexists = library["H5Lexists"];
#if H5_VERSION_GE(1, 12, 0)
  decltype(&::H5Literate2) Literate = library["H5Literate2"];
#else
  decltype(&::H5Literate) Literate = library["H5Literate"];
#endif
  decltype(&::H5Oclose) Oclose = library["H5Oclose"];
  decltype(&::H5Oopen) Oopen = library["H5Oopen"];
  decltype(&::H5Pclose) Pclose = library["H5Pclose"];
  decltype(&::H5Pcreate) Pcreate = library["H5Pcreate"];
  decltype(&::H5Pget_chunk) Pget_chunk = library["H5Pget_chunk"];
  decltype(&::H5Pget_driver_info) Pget_driver_info = library["H5Pget_driver_info"];
  decltype(&::H5Pget_external_count) Pget_external_count = library["H5Pget_external_count"];
  decltype(&::H5Pget_filter2) Pget_filter2 = library["H5Pget_filter2"];
  decltype(&::H5Pget_layout) Pget_layout = library["H5Pget_layout"];
  decltype(&::H5Pget_nfilters) Pget_nfilters = library["H5Pget_nfilters"];
  decltype(&::H5Pset_chunk) Pset_chunk = library["H5Pset_chunk"];
  decltype(&::H5Pset_chunk_cache) Pset_chunk_cache = library["H5Pset_chunk_cache"];
  decltype(&::H5Pset_deflate) Pset_deflate = library["H5Pset_deflate"];
  decltype(&::H5Pset_driver) Pset_driver = library["H5Pset_driver"];
  decltype(&::H5Pset_elink_cb) Pset_elink_cb = library["H5Pset_elink_cb"];
#if H5_VERSION_GE(1, 10, 7)
  decltype(&::H5Pset_file_locking) Pset_file_locking = library["H5Pset_file_locking"];
#endif
  decltype(&::H5Pset_fill_time) Pset_fill_time = library["H5Pset_fill_time"];
  decltype(&::H5Pset_obj_track_times) Pset_obj_track_times = library["H5Pset_obj_track_times"];
  decltype(&::H5Pset_shuffle) Pset_shuffle = library["H5Pset_shuffle"];
  decltype(&::H5Pset_type_conv_cb) Pset_type_conv_cb = library["H5Pset_type_conv_cb"];
  decltype(&::H5Sclose) Sclose = library["H5Sclose"];
  decltype(&::H5Screate_simple) Screate_simple = library["H5Screate_simple"];
  decltype(&::H5Sget_simple_extent_dims) Sget_simple_extent_dims = library["H5Sget_simple_extent_dims"];
  decltype(&::H5Sget_simple_extent_ndims) Sget_simple_extent_ndims = library["H5Sget_simple_extent_ndims"];
  decltype(&::H5Sget_simple_extent_type) Sget_simple_extent_type = library["H5Sget_simple_extent_type"];
  decltype(&::H5Sselect_hyperslab) Sselect_hyperslab = library["H5Sselect_hyperslab"];
  decltype(&::H5Tclose) Tclose = library["H5Tclose"];
  decltype(&::H5Tget_class) Tget_class = library["H5Tget_class"];
  decltype(&::H5Tget_order) Tget_order = library["H5Tget_order"];
  decltype(&::H5Tget_sign) Tget_sign = library["H5Tget_sign"];
  decltype(&::H5Tget_size) Tget_size = library["H5Tget_size"];
  decltype(&::H5Tget_super) Tget_super = library["H5Tget_super"];
  decltype(&::H5get_libversion) get_libversion = library["H5get_libversion"];
  decltype(&::H5is_library_threadsafe) is_library_threadsafe = library["H5is_library_threadsafe"];
  decltype(&::H5open) open = library["H5open"];
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
