#include "io/state_folder.h"

#include <unistd.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "bertprep/base/error.h"
#include "io/file_system.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".bertprep";

fs::path inside(const fs::path& folder) {
  return folder / kEnding;
}

// Whether it is the current folder or one above it.
bool holds_current_folder(const fs::path& folder) {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  return !error && std::mismatch(folder.begin(), folder.end(), here.begin(), here.end()).first == folder.end();
}

}  // namespace

fs::path state_beside(const fs::path& folder) {
  const fs::path named = folder.has_filename() ? folder : folder.parent_path();
  return named.parent_path() / ("." + named.filename().string() + std::string(kEnding));
}

fs::path choose_state_folder(const fs::path& folder, StatePlace place) {
  std::error_code error;
  const fs::path absolute = fs::canonical(folder, error);
  if (error) throw IoError::from_errno("can't be used", folder, error.value());
  const fs::path parent = absolute.parent_path();
  if (!absolute.has_filename() || !on_one_file_system(parent, absolute)) return inside(absolute);
  if (auto found = find_state_folder(absolute)) return std::move(*found);
  const bool beside =
      place == StatePlace::kBeside && !holds_current_folder(absolute) && ::access(parent.c_str(), W_OK | X_OK) == 0;
  return beside ? state_beside(absolute) : inside(absolute);
}

std::optional<fs::path> find_state_folder(const fs::path& given) {
  const fs::path name = given.filename();
  const fs::path folder = name == "." || name == ".." ? fs::absolute(given).lexically_normal() : given;
  for (const fs::path& candidate : {state_beside(folder), inside(folder)}) {
    std::error_code error;
    if (fs::is_directory(candidate, error)) return candidate;
  }
  return std::nullopt;
}

std::optional<fs::path> folder_of_state(const fs::path& state) {
  const std::string name = state.filename().string();
  if (name == kEnding) return state.parent_path();
  if (!name.starts_with('.') || !name.ends_with(kEnding)) return std::nullopt;
  return state.parent_path() / name.substr(1, name.size() - 1 - kEnding.size());
}

}  // namespace bertprep
