#include "support/temp_folder.h"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace bertprep::test {

TempFolder::TempFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "bertprep-test-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("can't make " + pattern);
  path_ = pattern;
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path TempFolder::write(std::string_view name, std::string_view bytes) const {
  const std::filesystem::path path = path_ / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) throw std::runtime_error("can't write " + path.string());
  return path;
}

}  // namespace bertprep::test
