// The version of a library that this project uses.
#pragma once

#include <string>

namespace bertprep {

struct LibraryVersion {
  std::string name;
  std::string compiled;  // of the headers at compile time; empty if they don't say
  std::string running;   // of the loaded library; that of the headers if it doesn't say; empty if it is not loaded
};

// Whether a library that is loaded when it is needed may be loaded to ask for its version.
enum class VersionOf { kHeaders, kLibrary };

}  // namespace bertprep
