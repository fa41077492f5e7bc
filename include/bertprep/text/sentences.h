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

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/text/text_normalizer.h"

namespace bertprep {

// For the program's flags: its sources read fields().
template <class Options>
struct Field;
enum class OptionGroup;

class SentenceSplitter;

// How sentences are found: SentenceOptions::rules.
enum class SentenceRules { kAuto, kPunkt, kIcu, kLines };

struct SentenceOptions {
  // punkt: NLTK 3.8's PunktSentenceTokenizer, what the reference uses; needs `punkt`.
  // icu: ICU's sentence rules with abbreviation suppressions; needs no data.
  // lines: each line of the text is a sentence.
  // auto: punkt where `punkt` is given; else lines where all of the input has a sentence a line, and icu. (The program
  // fetches Punkt's parameters instead of taking icu.)
  SentenceRules rules = SentenceRules::kAuto;
  // Folder with abbrev_types.txt, collocations.tab, sent_starters.txt and ortho_context.tab (NLTK's punkt_tab
  // layout).
  std::string punkt{};
  // Language of the ICU rules, as a BCP 47 tag.
  std::string language = "en";
  // Your own splitter, in place of all those; the other options then have to keep their defaults.
  std::shared_ptr<const SentenceSplitter> custom{};

  static const OptionGroup kGroup;
  static std::span<const Field<SentenceOptions>> fields();
};

// Throws ConfigError for a value out of its range, and for `punkt` or `language` where another splitter ignores them,
// and for your own splitter without a name or version.
void check_sentences(const SentenceOptions& options);

class SentenceSplitter : public TextComponent {
 public:
  // Replaces `sentences` by the sentences of `article` (valid UTF-8, one line, no white space at its end): views into
  // it, in their order, not blank. Called once for each article. FormatError ends the stage when a custom splitter
  // gives anything else.
  virtual void split(std::string_view article, std::vector<std::string_view>& sentences) const = 0;
};

// Throws IoError or FormatError (a missing or damaged parameter file is named), ConfigError.
std::shared_ptr<const SentenceSplitter> make_sentence_splitter(const SentenceOptions& options);

}  // namespace bertprep
