#include "bertprep/pipeline/publish.h"

#include <array>

#include "io/sha256.h"
#include "pipeline/input_guard.h"
#include "pipeline/output_folder.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

}  // namespace

void check_publishable(const fs::path& file, std::span<const fs::path> inputs, bool replace) {
  InputGuard(inputs).refuse_file(file);
  const fs::file_status status = fs::symlink_status(file);
  if (replace || !fs::exists(status) || fs::is_directory(status)) return;
  const std::string name = file.filename().string();
  OutputFolder(folder_of(file)).refuse_foreign(name, std::array{name});
}

void publish_whole(const fs::path& file, const std::string& bytes) {
  const OutputFolder folder(folder_of(file));
  const std::string name = file.filename().string();
  const std::string sha256 = sha256_of(bytes);
  const CompletionRecord record{.key = sha256, .outputs = {{name, bytes.size(), sha256}}};
  folder.begin_task(name, record);
  folder.publish_small(name, bytes);
  folder.write_record(name, record);
}

}  // namespace bertprep
