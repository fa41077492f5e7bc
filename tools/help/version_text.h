// The output of --version, and the versions of the libraries in it.
#pragma once

#include <string>
#include <vector>

#include "base/library_version.h"
#include "console/console.h"

namespace bertprep::cli {

// The versions of the libraries used by bertprep::bertprep: HDF5, ICU, simdjson, oneTBB, Zstandard, libcurl, bzip2,
// zlib, libdeflate, libarchive and Nettle, in this order.
// Events have the versions of all libraries that run; text is for a person, who does not wait for them to be loaded.
inline VersionOf versions_wanted(const ConsoleOptions& console) {
  return console.json ? VersionOf::kLibrary : VersionOf::kHeaders;
}

std::vector<LibraryVersion> library_versions(VersionOf wanted);

// The program's version and those of `libraries` and CLI11, one line each: text or, with `as_json`, an event. The last
// line has no line end.
std::string version_text(const std::string& program, bool as_json, std::vector<LibraryVersion> libraries);

}  // namespace bertprep::cli
