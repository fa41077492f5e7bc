// An option that the user set.
#pragma once

#include <string>

namespace bertprep {

struct GivenOption {
  std::string name;
  bool is_flag = false;     // false: by a configuration file, which several commands may share
  bool is_default = false;  // the given value is the default
};

}  // namespace bertprep
