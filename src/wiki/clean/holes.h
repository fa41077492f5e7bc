// HoleMender: what goes with a template or formula that a paragraph lost, for --holes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bertprep/wiki/wiki_options.h"
#include "unicode/properties/sentence_breaks.h"

namespace bertprep::clean {

// What the paragraphs of a page lost.
struct PageLosses {
  std::uint64_t holes = 0;
  std::uint64_t left_out = 0;        // sentences or paragraphs
  std::vector<std::string> samples;  // the first of these, their holes as {{…}}
};

class HoleMender {
 public:
  // The language of the dump's wiki.
  explicit HoleMender(std::string language) : language_(std::move(language)) {}

  // Removes the marks of a paragraph and, in this order: what is left around them (rests.h), their parts of brackets,
  // and the sentences or the paragraph that they are holes of. What stood between sentences leaves no hole.
  void mend(std::string& paragraph, HoleRule rule, PageLosses& losses);

 private:
  struct Sentence;

  std::vector<Sentence> sentences_of(std::string_view text);
  static std::vector<Sentence> joined(const std::vector<Sentence>& sentences, std::string_view text);
  void remove_sentences(std::string& paragraph, HoleRule rule, PageLosses& losses);

  std::string language_;
  std::unique_ptr<const unicode::SentenceBreaks> breaks_;  // made when they are needed
};

}  // namespace bertprep::clean
