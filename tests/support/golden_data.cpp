#include "support/golden_data.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

namespace bertprep::test {

std::filesystem::path source_folder() {
  return BERTPREP_SOURCE_DIR;
}

std::filesystem::path shared_folder() {
  const char* given = std::getenv("BERTPREP_SHARED");
  const std::filesystem::path folder = given != nullptr ? given : source_folder().parent_path() / "shared";
  return std::filesystem::is_directory(folder / "goldens") ? folder : std::filesystem::path{};
}

std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("can't read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> read_lines(const std::filesystem::path& path) {
  std::istringstream stream(read_bytes(path));
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> split_tabs(const std::string& line) {
  std::vector<std::string> cells{""};
  for (const char c : line) {
    if (c == '\t') {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

void GoldenTest::SetUp() {
  if (shared_folder().empty()) GTEST_SKIP() << "skipped: no golden data (set BERTPREP_SHARED to its folder)";
}

}  // namespace bertprep::test
