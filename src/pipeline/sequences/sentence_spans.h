// SentenceSpans: where the sentences of a text begin. The text stays as it is: what is between two sentences belongs to
// the first of them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/text/sentences.h"

namespace bertprep {

class SentenceSpans {
 public:
  // `splitter` is kept by reference.
  explicit SentenceSpans(const SentenceSplitter& splitter) : splitter_(splitter) {}

  // Replaces `begins` by the offsets of the sentences of `text`, which must be valid UTF-8 and have some; the first is
  // 0, whatever is before the first sentence. An empty line ends a sentence, and a line break is a blank within one;
  // the splitter `lines` takes each line as a sentence.
  void find(std::string_view text, std::vector<std::size_t>& begins);

 private:
  void find_in_paragraph(std::string_view text, std::size_t begin, std::size_t end, std::vector<std::size_t>& begins);

  const SentenceSplitter& splitter_;
  std::string line_;
  std::vector<std::string_view> sentences_;
};

}  // namespace bertprep
