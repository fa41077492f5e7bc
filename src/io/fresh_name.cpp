#include "io/fresh_name.h"

#include <dirent.h>

#include <system_error>

namespace bertprep {

void look_again(const std::filesystem::path& folder) {
  if (DIR* open = ::opendir(folder.c_str())) ::closedir(open);
}

bool exists_now(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::exists(path, error)) return true;
  look_again(path.parent_path());
  return std::filesystem::exists(path, error);
}

}  // namespace bertprep
