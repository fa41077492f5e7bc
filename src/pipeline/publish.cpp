#include "bertprep/pipeline/publish.h"

#include "bertprep/base/error.h"
#include "io/pending_file.h"

namespace bertprep {

void publish_whole(const std::filesystem::path& file, const std::string& bytes) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw IoError::from_errno("the folder can't be made", folder, error.value());
  publish_bytes(file, folder, bytes);
}

}  // namespace bertprep
