// PunktContexts: the places of an article where a sentence may end, each with the words around it.
//
// NLTK 3.8, PunktSentenceTokenizer._match_potential_end_contexts: a mark (. ? !) followed by punctuation, or
// by white space and a word, with the word before it. Of marks that share the word before them only the last
// one counts.
#pragma once

#include <cstddef>
#include <string_view>

namespace bertprep {

// Byte offsets into the article.
struct PunktContext {
  std::size_t word_begin = 0;   // of the word before the mark
  std::size_t mark = 0;         // the . ? or !
  std::size_t context_end = 0;  // end of the punctuation or the word after the mark
  std::size_t next_begin = 0;   // where the next sentence begins, should this one end here
};

class PunktContexts {
 public:
  // `article` is valid UTF-8 and outlives the object.
  explicit PunktContexts(std::string_view article) : article_(article) {}

  // The next context, from left to right; false at the end. All of them together take time linear in the
  // article.
  bool next(PunktContext& context);

 private:
  bool find_candidate(PunktContext& candidate);
  bool complete_after_mark(PunktContext& candidate) const;
  std::size_t find_word_begin(std::size_t mark) const;

  std::string_view article_;
  std::size_t at_ = 0;
  bool has_pending_ = false;
  PunktContext pending_;  // the last candidate found, given out unless the next one has the same word before it
};

}  // namespace bertprep
