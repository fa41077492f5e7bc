#include "pipeline/plan/plan_folder.h"

#include <string>
#include <system_error>

#include "bertprep/base/error.h"
#include "io/folder.h"
#include "io/process.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

std::string prefix_of_this_machine() {
  return ".plan." + ProcessIdentity::of_this_process().host + ".";
}

bool is_abandoned(const std::string& name, const std::string& prefix) {
  if (!name.starts_with(prefix)) return false;
  const std::string digits = name.substr(prefix.size());
  if (digits.size() > 9 || !is_ascii_digits(digits)) return false;
  return !ProcessIdentity{{}, std::stoull(digits), 0}.is_alive();
}

void remove_abandoned(const fs::path& work, const std::string& prefix) {
  std::error_code error;
  for (const auto& entry : list_folder(work, error)) {
    std::error_code ignored;
    if (is_abandoned(entry.path().filename().string(), prefix)) remove_tree(entry.path(), ignored);
  }
}

fs::path first_missing(const fs::path& folder) {
  fs::path missing;
  for (fs::path at = fs::absolute(folder).lexically_normal(); !fs::exists(at) && at.has_relative_path();
       at = at.parent_path()) {
    missing = at;
  }
  return missing;
}

}  // namespace

PlanFolder::PlanFolder(const fs::path& work)
    : path_(work / (prefix_of_this_machine() + std::to_string(ProcessIdentity::of_this_process().pid))),
      first_made_(first_missing(path_)) {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) throw IoError::from_errno("the folder can't be created", path_, error.value());
  remove_abandoned(work, prefix_of_this_machine());
}

PlanFolder::~PlanFolder() {
  std::error_code ignored;
  remove_tree(path_, ignored);
  // Removes folders above it only if they are empty.
  for (fs::path at = fs::absolute(path_, ignored).lexically_normal(); at != first_made_ && at.has_relative_path();) {
    at = at.parent_path();
    if (!first_made_.empty() && at.string().starts_with(first_made_.string())) fs::remove(at, ignored);
    if (first_made_.empty()) break;
  }
}

}  // namespace bertprep
