// Sentences by ICU's rules, which need no data, and the abbreviations that join sentences.
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

// IcuAbbreviations: the abbreviations of a language after which no sentence ends, from CLDR's list of sentence break
// exceptions in ICU's data.
//
// ICU's own filter for that list ignores where words begin: the "O." of the list prevents the break in "They joined
// NATO. Then". Here, only whole words match.
class IcuAbbreviations {
 public:
  // `language` is an ISO 639 code. Languages without a list have no abbreviations.
  explicit IcuAbbreviations(const std::string& language);

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

class IcuSplitter final : public SentenceSplitter {
 public:
  // `language` is a BCP 47 tag. Throws ConfigError if ICU does not know the language.
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

// Splits sentences of scripts whose marks ICU's rules ignore: Unicode 15's property Sentence_Terminal lacks those of
// Khmer, Tibetan and Thai, the Greek question mark, and the two dots used as a full stop in Ethiopic.

// The length in bytes of the first sentence of `text` (valid UTF-8), including its marks and the quotes and white space
// after them; all of `text` if there is no such mark, or nothing follows it. Marks before the first letter don't end a
// sentence.
std::size_t first_script_sentence(std::string_view text);

}  // namespace bertprep
