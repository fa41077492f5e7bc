#include "pipeline/records/state_folder.h"

#include <unistd.h>

#include <string>

#include "bertprep/base/error.h"
#include "io/file_system.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

fs::path sibling_of(const fs::path& folder) {
  return folder.parent_path() / ("." + folder.filename().string() + ".bertprep");
}

fs::path inside(const fs::path& folder) {
  return folder / ".bertprep";
}

}  // namespace

fs::path choose_state_folder(const fs::path& folder) {
  std::error_code error;
  const fs::path absolute = fs::canonical(folder, error);
  if (error) throw IoError::from_errno("can't be used", folder, error.value());
  const fs::path parent = absolute.parent_path();
  const fs::path sibling = sibling_of(absolute);
  const bool beside = absolute.has_filename() && on_one_file_system(parent, absolute) &&
                      (fs::is_directory(sibling) || ::access(parent.c_str(), W_OK | X_OK) == 0);
  return beside ? sibling : inside(absolute);
}

std::optional<fs::path> find_state_folder(const fs::path& folder) {
  for (const fs::path& candidate : {sibling_of(folder), inside(folder)}) {
    std::error_code error;
    if (fs::is_directory(candidate, error)) return candidate;
  }
  return std::nullopt;
}

}  // namespace bertprep
