// SentenceBreaks: where sentences end by ICU's rules, and the abbreviations that join them.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace bertprep::unicode {

// SentenceAbbreviations: the abbreviations of a language after which no sentence ends, from CLDR's list of sentence
// break
// exceptions in ICU's data.
//
// ICU's own filter for that list ignores where words begin: the "O." of the list prevents the break in "They joined
// NATO. Then". Here, only whole words match.
class SentenceAbbreviations {
 public:
  // `language` is an ISO 639 code. Languages without a list have no abbreviations.
  explicit SentenceAbbreviations(const std::string& language);

  // True if `before`, which must not end in white space, ends in an abbreviation; one of several words ("z. B.") may
  // continue at the start of `after`.
  bool joins(std::string_view before, std::string_view after) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };

  void add(const std::string& abbreviation);

  // The possible rests of each abbreviation or its beginning; "" for a complete one.
  std::unordered_map<std::string, std::vector<std::string>, Hash, std::equal_to<>> rests_;
  std::size_t longest_bytes_ = 0;
};

class SentenceBreaks {
 public:
  // `language` is a BCP 47 tag; ICU's rules of no particular language serve those that it does not know.
  explicit SentenceBreaks(const std::string& language);
  ~SentenceBreaks();

  // The offsets in `text` (valid UTF-8, below 2 GiB) at which sentences end, the last one at its end. A sentence
  // includes the white space behind it.
  std::vector<std::size_t> ends(std::string_view text) const;

 private:
  struct Rules;
  std::unique_ptr<const Rules> rules_;
};

// The version of ICU, whose rules they are: "72.1".
std::string sentence_rules_version();

}  // namespace bertprep::unicode
