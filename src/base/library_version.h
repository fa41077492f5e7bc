// The version of a library that this one uses.
#pragma once

#include <string>

namespace bertprep {

struct LibraryVersion {
  std::string name;
  std::string compiled;  // of the headers that this one was built with; empty when they don't say
  std::string running;   // of what is loaded; that of the headers where the library does not say
};

}  // namespace bertprep
