// FrequentWords: the most frequent of many words, in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/json.h"

namespace bertprep {

struct CountedWord {
  std::string word;
  std::uint64_t times = 0;

  bool operator==(const CountedWord&) const = default;
};

// Exact while there are no more than `most` different words; beyond that, the rarest half is dropped now and then
// (lossy counting: Manku, Motwani 2002), and frequent words stay. Not thread-safe.
class FrequentWords {
 public:
  explicit FrequentWords(std::size_t max = 4096) : max_(max) {}

  void add(std::string_view word, std::uint64_t times = 1);
  void add(const FrequentWords& other);
  bool is_empty() const { return times_.empty(); }

  // The `count` most frequent words, most frequent first, equally frequent ones in the order of their bytes.
  std::vector<CountedWord> most_frequent(std::size_t count) const;

  // The `count` most frequent ones, as in records: [["word", 12], ...].
  Json to_json(std::size_t count) const;
  // Throws FormatError.
  static FrequentWords from_json(const Json& json);

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view word) const { return std::hash<std::string_view>()(word); }
  };

  void forget_rare();

  std::size_t max_;
  std::unordered_map<std::string, std::uint64_t, Hash, std::equal_to<>> times_;
};

}  // namespace bertprep
