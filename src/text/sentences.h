// LineSplitter: each line of the article is a sentence.
#pragma once

#include "bertprep/text/sentences.h"

namespace bertprep {

// LineSplitter: each line of the article is a sentence.
class LineSplitter final : public SentenceSplitter {
 public:
  // Lines end at LF; each is stripped of white space, and empty ones are left out.
  void split(std::string_view article, std::vector<std::string_view>& sentences) const override;
  std::string name() const override { return "lines"; }
  std::string version() const override { return {}; }
};

}  // namespace bertprep
