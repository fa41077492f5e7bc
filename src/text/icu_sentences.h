// Sentences by ICU's rules, which need no data of their own, and the abbreviations that they go by. A door to ICU.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bertprep/text/sentences.h"

namespace bertprep {

// IcuAbbreviations: the abbreviations of a language after which no sentence ends, from CLDR's list of
// sentence break exceptions in ICU's data. A door to ICU.
//
// ICU's own filter for that list compares without looking where a word begins, so that the "O." of the list
// keeps "They joined NATO. Then" together. Here only whole words count.
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

class IcuSplitter final : public SentenceSplitter {
 public:
  // `language` is a BCP 47 tag. Throws ConfigError when ICU knows no such language.
  explicit IcuSplitter(const std::string& language);
  ~IcuSplitter() override;

  // Sentences are stripped of white space. Throws FormatError for an article of 2 GiB or more.
  void split(std::string_view article, std::vector<std::string_view>& sentences) const override;
  std::string name() const override { return "icu"; }
  std::string version() const override;

 private:
  struct Rules;
  std::string language_;
  std::unique_ptr<const Rules> rules_;
};

}  // namespace bertprep
