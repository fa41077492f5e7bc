// Punkt: NLTK 3.8's PunktSentenceTokenizer.tokenize(realign_boundaries=True), byte for byte the same
// sentences.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

#include "bertprep/text/sentences.h"
#include "text/punkt_parameters.h"

namespace bertprep {

// PunktContexts: the positions in an article where a sentence may end, with the words around them.
//
// NLTK 3.8, PunktSentenceTokenizer._match_potential_end_contexts: a mark (. ? !) followed by punctuation, or by white
// space and a word, with the word before it. Of marks with the same word before them, only the last one counts.

// Byte offsets into the article.
struct PunktContext {
  std::size_t word_begin = 0;   // of the word before the mark
  std::size_t mark = 0;         // the . ? or !
  std::size_t context_end = 0;  // end of the punctuation or the word after the mark
  std::size_t next_begin = 0;   // where the next sentence begins if this one ends here
};

class PunktContexts {
 public:
  // `article` must be valid UTF-8 and outlive the object.
  explicit PunktContexts(std::string_view article) : article_(article) {}

  // The next context, from left to right; false at the end. Total time is linear in the article.
  bool next(PunktContext& context);

 private:
  bool find_candidate(PunktContext& candidate);
  bool complete_after_mark(PunktContext& candidate) const;
  std::size_t find_word_begin(std::size_t mark) const;

  std::string_view article_;
  std::size_t at_ = 0;
  bool has_pending_ = false;
  PunktContext pending_;  // the last candidate, returned unless the next one has the same word before it
};

class PunktSplitter final : public SentenceSplitter {
 public:
  // Throws IoError or FormatError naming the file.
  explicit PunktSplitter(const std::filesystem::path& folder);

  void split(std::string_view article, std::vector<std::string_view>& sentences) const override;
  std::string name() const override { return "punkt"; }
  std::string version() const override;

 private:
  PunktParameters parameters_;
};

}  // namespace bertprep
