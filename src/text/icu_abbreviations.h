// IcuAbbreviations: the abbreviations of a language after which no sentence ends, from CLDR's list of
// sentence break exceptions in ICU's data. A door to ICU.
//
// ICU's own filter for that list compares without looking where a word begins, so that the "O." of the list
// keeps "They joined NATO. Then" together. Here only whole words count.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace bertprep {

class IcuAbbreviations {
 public:
  // `language` is an ISO 639 code. Languages without a list have no abbreviations.
  explicit IcuAbbreviations(const std::string& language);

  // True when `before`, which ends without white space, ends in an abbreviation; one of several words ("z.
  // B.") may have its rest at the start of `after`.
  bool joins(std::string_view before, std::string_view after) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };

  void add(const std::string& abbreviation);

  // What must follow each abbreviation, or each beginning of one; nothing but "" for a whole one.
  std::unordered_map<std::string, std::vector<std::string>, Hash, std::equal_to<>> rests_;
  std::size_t longest_bytes_ = 0;
};

}  // namespace bertprep
