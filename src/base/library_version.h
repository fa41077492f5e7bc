// The version of a library that this project uses.
#pragma once

#include <string>

namespace bertprep {

struct LibraryVersion {
  std::string name;
  std::string compiled;  // of the headers at compile time; empty if they don't say
  std::string running;   // of the loaded library; that of the headers if it doesn't say
};

}  // namespace bertprep
