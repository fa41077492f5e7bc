#include "io/usable_memory.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

std::uint64_t machine_bytes() {
  return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGE_SIZE));
}

// The number in the file; "max", or no file, is no limit.
std::uint64_t limit_in(const fs::path& file) {
  std::string text;
  std::ifstream(file) >> text;
  std::uint64_t limit = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
  return error == std::errc{} && end == text.data() + text.size() ? limit : kNoLimit;
}

// The limit of a cgroup is also that of all within it. In a container the outer part of its path can't be seen, and its
// own limit stands at the root of what is mounted.
std::uint64_t lowest_limit(const fs::path& mount, fs::path group, const char* file) {
  std::uint64_t lowest = limit_in(mount / file);
  for (; group.has_relative_path(); group = group.parent_path()) {
    lowest = std::min(lowest, limit_in(mount / group.relative_path() / file));
  }
  return lowest;
}

}  // namespace

std::uint64_t usable_memory_bytes(const fs::path& root) {
  std::uint64_t lowest = machine_bytes();
  std::ifstream groups(root / "proc/self/cgroup");
  // A line is "0::/path" of cgroups v2, "5:memory:/path" of v1.
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string_view kinds = std::string_view(line).substr(first + 1, second - first - 1);
    const fs::path group = line.substr(second + 1);
    if (kinds.empty()) lowest = std::min(lowest, lowest_limit(root / "sys/fs/cgroup", group, "memory.max"));
    if (kinds == "memory") {
      lowest = std::min(lowest, lowest_limit(root / "sys/fs/cgroup/memory", group, "memory.limit_in_bytes"));
    }
  }
  return lowest;
}

}  // namespace bertprep
