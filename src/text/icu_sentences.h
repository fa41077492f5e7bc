// Sentences by ICU's rules, which need no data.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/text/sentences.h"

namespace bertprep {

namespace unicode {
class SentenceBreaks;
}

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
  std::string language_;
  std::unique_ptr<const unicode::SentenceBreaks> breaks_;
};

// Splits sentences of scripts whose marks ICU's rules ignore: Unicode 15's property Sentence_Terminal lacks those of
// Khmer, Tibetan and Thai, the Greek question mark, and the two dots used as a full stop in Ethiopic.

}  // namespace bertprep
