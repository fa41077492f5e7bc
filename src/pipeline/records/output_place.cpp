#include "pipeline/records/output_place.h"

#include <cerrno>

#include "base/address.h"
#include "bertprep/base/error.h"
#include "io/file_system.h"
#include "io/folder.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// Making a folder there would say that a file exists.
void refuse_loose_link(const fs::path& path) {
  std::error_code error;
  if (!fs::is_symlink(path, error) || fs::exists(path, error)) return;
  throw IoError("is a link to " + fs::read_symlink(path, error).string() + ", which does not exist", path,
                "make the folder there, or choose another one");
}

}  // namespace

void require_output_folder(const fs::path& folder) {
  refuse_address(folder.native());
  std::error_code error;
  fs::path present = fs::absolute(folder).lexically_normal();
  for (;; present = present.parent_path()) {
    refuse_loose_link(present);
    if (fs::exists(present, error) || !present.has_relative_path()) break;
  }
  if (!fs::is_directory(present)) throw IoError::from_errno("is not a folder", present, ENOTDIR);
  refuse_unwritable(present);
}

void require_output_file(const fs::path& file) {
  const fs::file_status status = fs::symlink_status(file);
  if (!file.has_filename() || fs::is_directory(status)) throw IoError::from_errno("can't be written", file, EISDIR);
  require_output_folder(folder_of(file));
  if (!fs::exists(status) || fs::is_regular_file(status) || fs::is_symlink(status)) return;
  throw FormatError("is not a file", file, "give another name");
}

void make_output_folder(const fs::path& folder) {
  refuse_address(folder.native());
  refuse_loose_link(folder);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw IoError::from_errno("the folder can't be created", folder, error.value());
  if (!fs::is_directory(folder)) throw IoError::from_errno("is not a folder", folder, ENOTDIR);
}

void refuse_unwritable(const fs::path& folder) {
  const std::error_code why = why_not_writable(folder);
  if (why) throw IoError::from_errno("the folder can't be written", folder, why.value());
}

}  // namespace bertprep
