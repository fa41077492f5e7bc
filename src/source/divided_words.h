// Words that are divided at the ends of lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace bertprep {

// How two lines are put together.
enum class LineJoin {
  kBlank,       // with a blank
  kHyphen,      // without one, as a hyphen or dash stays
  kDropHyphen,  // without the hyphen at the end of the first
};

class DividedWords {
 public:
  // Counts the words of `book` that decide: those whose parts stand at the ends of its lines.
  explicit DividedWords(std::string_view book);

  // `line` and `next` are stripped and not empty.
  LineJoin join_of(std::string_view line, std::string_view next) const;

 private:
  void want_words(std::string_view book);
  void count_words(std::string_view book);
  std::uint64_t count_of(const std::string& word) const;

  std::unordered_map<std::string, std::uint64_t> counts_;  // of words in lower case (ASCII)
};

}  // namespace bertprep
