#include "io/file_system.h"

#include <sys/stat.h>

namespace bertprep {

bool on_one_file_system(const std::filesystem::path& left, const std::filesystem::path& right) {
  struct stat a, b;
  return ::stat(left.c_str(), &a) == 0 && ::stat(right.c_str(), &b) == 0 && a.st_dev == b.st_dev;
}

}  // namespace bertprep
