#include "base/nearest_name.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace bertprep {
namespace {

constexpr std::size_t kLettersOfAnEdit = 3;
constexpr std::size_t kShortestPart = 3;

// In lower case, with '-' for '_', and without the dashes of a flag.
std::string bare(std::string_view name) {
  name.remove_prefix(std::min(name.find_first_not_of('-'), name.size()));
  std::string letters(name);
  for (char& letter : letters) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    if (letter == '_') letter = '-';
  }
  return letters;
}

std::size_t edits_between(const std::string& left, const std::string& right) {
  std::vector<std::size_t> before(right.size() + 1);
  std::vector<std::size_t> above(right.size() + 1);
  std::vector<std::size_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < left.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i + 1;
    for (std::size_t j = 0; j < right.size(); ++j) {
      row[j + 1] = std::min({above[j] + (left[i] == right[j] ? 0 : 1), above[j + 1] + 1, row[j] + 1});
      const bool swapped = i > 0 && j > 0 && left[i] == right[j - 1] && left[i - 1] == right[j];
      if (swapped) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
  }
  return row.back();
}

bool is_misspelling(std::size_t edits, const std::string& word, const std::string& name) {
  return edits * kLettersOfAnEdit <= std::max(word.size(), name.size()) && edits < word.size();
}

// Whether `word` is a part of a name: "seed" of "random-seed", "train" of "train-shards".
bool is_part(const std::string& word, const std::string& name) {
  if (word.size() < kShortestPart) return false;
  return name.starts_with(word) || ("-" + name + "-").find("-" + word + "-") != std::string::npos;
}

}  // namespace

std::string nearest_name(std::string_view word, std::span<const std::string> names) {
  const std::string requested = bare(word);
  std::string misspelt;
  std::string whole_of_part;
  std::size_t fewest = requested.size();
  for (const std::string& name : names) {
    const std::string candidate = bare(name);
    const std::size_t edits = edits_between(requested, candidate);
    if (edits < fewest && is_misspelling(edits, requested, candidate)) {
      fewest = edits;
      misspelt = name;
    }
    if (whole_of_part.empty() && is_part(requested, candidate)) whole_of_part = name;
  }
  return misspelt.empty() ? whole_of_part : misspelt;
}

std::string suggestion_text(std::string_view word, std::span<const std::string> names) {
  const std::string name = nearest_name(word, names);
  return name.empty() ? "" : " (did you mean '" + name + "'?)";
}

}  // namespace bertprep
