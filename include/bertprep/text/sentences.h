// SentenceSplitter: an article -> its sentences.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/base/fields.h"

namespace bertprep {

struct SentenceOptions {
  // punkt: NLTK 3.8's PunktSentenceTokenizer, what the reference uses; needs `punkt`.
  // icu: ICU's sentence rules with abbreviation suppressions; needs no data.
  // lines: each line of the text is a sentence.
  // auto: lines where all of the input has a sentence a line and `punkt` is empty, else punkt.
  std::string sentences = "auto";
  // Folder with abbrev_types.txt, collocations.tab, sent_starters.txt and ortho_context.tab (NLTK's punkt_tab
  // layout).
  std::string punkt{};
  // Language of the ICU rules, as a BCP 47 tag.
  std::string language = "en";

  static constexpr OptionGroup kGroup = OptionGroup::kText;
  static std::span<const Field<SentenceOptions>> fields();
};

// Throws ConfigError for a value out of its range, and for `punkt` or `language` where another splitter ignores them.
void check_sentences(const SentenceOptions& options);

class SentenceSplitter {
 public:
  virtual ~SentenceSplitter() = default;

  // Replaces `sentences` by the sentences of `article` (valid UTF-8), views into it, never empty. const calls
  // are thread-safe.
  virtual void split(std::string_view article, std::vector<std::string_view>& sentences) const = 0;

  // What decides the result beside the options, for the recipe: digest of the Punkt parameters, ICU version.
  virtual std::string identity() const = 0;
};

// Throws IoError or FormatError (a missing or damaged parameter file is named), ConfigError.
std::unique_ptr<const SentenceSplitter> make_sentence_splitter(const SentenceOptions& options);

}  // namespace bertprep
