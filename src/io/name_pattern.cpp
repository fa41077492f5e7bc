#include "io/name_pattern.h"

#include <fnmatch.h>

#include <algorithm>

namespace bertprep {

bool matches_pattern(const std::string& path, const std::string& pattern) {
  return ::fnmatch(pattern.c_str(), path.c_str(), 0) == 0;
}

bool matches_any(std::string_view path, std::string_view patterns) {
  const std::string whole(path);
  const std::string name(path.substr(path.find_last_of('/') + 1));
  while (!patterns.empty()) {
    const std::size_t end = std::min(patterns.find(','), patterns.size());
    const std::string pattern(patterns.substr(0, end));
    if (matches_pattern(pattern.find('/') == std::string::npos ? name : whole, pattern)) return true;
    patterns.remove_prefix(std::min(end + 1, patterns.size()));
  }
  return false;
}

}  // namespace bertprep
