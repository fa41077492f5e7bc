// Replays files and folders of files through a fuzz target, so that every crash found becomes a normal test:
//   fuzz_replay TARGET PATH...
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "fuzz/fuzz_targets.h"

namespace {

std::size_t replay(const FuzzTarget& target, const std::filesystem::path& path) {
  std::size_t count = 0;
  if (std::filesystem::is_directory(path)) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
      if (entry.is_regular_file()) count += replay(target, entry.path());
    }
    return count;
  }
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  target.run(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const auto targets = fuzz_targets();
  const std::string_view name = argc > 1 ? argv[1] : "";
  const auto target =
      std::find_if(targets.begin(), targets.end(), [&](const FuzzTarget& other) { return other.name == name; });
  if (target == targets.end()) {
    std::cerr << "there is no target '" << name << "'\n";
    return 2;
  }
  std::size_t count = 0;
  for (int i = 2; i < argc; ++i) count += replay(*target, argv[i]);
  std::cout << count << " inputs replayed\n";
  return count == 0 ? 1 : 0;
}
