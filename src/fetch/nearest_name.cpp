#include "fetch/nearest_name.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace bertprep {
namespace {

// Levenshtein's distance, a row at a time.
std::size_t distance(const std::string& left, const std::string& right) {
  std::vector<std::size_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < left.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < right.size(); ++j) {
      const std::size_t substituted = diagonal + (left[i] == right[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_name(const std::string& word, std::span<const std::string> names) {
  const auto nearest =
      std::ranges::min_element(names, {}, [&](const std::string& name) { return distance(word, name); });
  return nearest == names.end() ? "" : *nearest;
}

}  // namespace bertprep
