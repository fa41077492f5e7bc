// SentenceSplitter: an article -> its sentences. Derive it for your own rules:
//
//   class Semicolons final : public bertprep::SentenceSplitter {
//    public:
//     std::string name() const override { return "semicolons"; }
//     std::string version() const override { return "1"; }
//     void split(std::string_view article, std::vector<std::string_view>& sentences) const override {
//       sentences.clear();
//       for (std::size_t end = 0; !article.empty(); article.remove_prefix(end)) {
//         end = std::min(article.find(';'), article.size() - 1) + 1;
//         sentences.push_back(article.substr(0, end));
//       }
//     }
//   };
//
//   options.sentences.custom = std::make_shared<Semicolons>();
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/text/text_normalizer.h"

namespace bertprep {

class SentenceSplitter;

// How to split sentences: SentenceOptions::rules.
enum class SentenceRules { kAuto, kPunkt, kIcu, kLines };

struct SentenceOptions {
  // punkt: NLTK 3.8's PunktSentenceTokenizer, as in the reference; needs `punkt`.
  // icu: ICU's sentence rules with abbreviation suppressions; needs no data.
  // lines: each line of the text is a sentence.
  // auto: punkt if `punkt` is given; else lines if all of the input has one sentence per line; else icu. (The program
  // fetches Punkt's parameters instead of using icu.)
  SentenceRules rules = SentenceRules::kAuto;
  // Folder with abbrev_types.txt, collocations.tab, sent_starters.txt and ortho_context.tab (NLTK's punkt_tab
  // layout).
  std::string punkt{};
  // Language of the ICU rules, as a BCP 47 tag.
  std::string language = "en";
  // Your own splitter, which replaces all of these; the other options must then keep their defaults.
  std::shared_ptr<const SentenceSplitter> custom{};
};

// Throws ConfigError for a value out of range, for `punkt` or `language` if the splitter ignores them, and for a custom
// splitter without a name or version.
void check_sentences(const SentenceOptions& options);

class SentenceSplitter : public TextComponent {
 public:
  // Replaces `sentences` with the sentences of `article` (valid UTF-8, one line, no trailing white space): views into
  // it, in order, not blank. Called once for each article. If a custom splitter returns anything else, FormatError ends
  // the stage.
  virtual void split(std::string_view article, std::vector<std::string_view>& sentences) const = 0;
};

// Throws IoError or FormatError (a missing or damaged parameter file is named), ConfigError.
std::shared_ptr<const SentenceSplitter> make_sentence_splitter(const SentenceOptions& options);

}  // namespace bertprep
