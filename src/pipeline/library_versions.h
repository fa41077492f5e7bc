// The versions of the libraries used by bertprep::bertprep.
#pragma once

#include <vector>

#include "base/library_version.h"

namespace bertprep {

// Of HDF5, ICU, simdjson, oneTBB, Zstandard, libcurl, bzip2, zlib, libdeflate, libarchive and OpenSSL, in this order.
std::vector<LibraryVersion> library_versions();

}  // namespace bertprep
