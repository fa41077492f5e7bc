// An environment for tests: only the listed variables.
#pragma once

#include <map>
#include <string>

#include "batch/array_position.h"

namespace bertprep::test {

using Variables = std::map<std::string, std::string>;

inline Environment environment_of(Variables variables) {
  return [variables = std::move(variables)](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
}

}  // namespace bertprep::test
