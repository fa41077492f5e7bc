// A few Punkt parameters of our own, for tests that need no downloaded ones.
#pragma once

#include <filesystem>

#include "support/temp_folder.h"

namespace bertprep::test {

class SmallPunkt {
 public:
  SmallPunkt();
  // Has the four parameter files during its lifetime.
  const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  TempFolder folder_;
};

}  // namespace bertprep::test
