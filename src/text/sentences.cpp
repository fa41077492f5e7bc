#include "bertprep/text/sentences.h"

#include <array>

#include "text/icu_sentences.h"
#include "text/line_sentences.h"
#include "text/punkt.h"

namespace bertprep {

std::span<const Field<SentenceOptions>> SentenceOptions::fields() {
  static constexpr std::array kFields = {
      Field<SentenceOptions>{
          .name = "sentences",
          .member = &SentenceOptions::sentences,
          .unit = {},
          .help = "how sentences are found: by Punkt as in the reference, by ICU's rules, or one on each line; auto: "
                  "lines for text shards, else punkt",
          .choices = "auto|punkt|icu|lines"},
      Field<SentenceOptions>{.name = "punkt",
                             .member = &SentenceOptions::punkt,
                             .unit = "dir",
                             .help = "punkt: folder with its parameters, in NLTK's punkt_tab layout; run and plan take "
                                     "a language, too, and fetch those of english by default",
                             .in_recipe = false},  // the digest of the parameters is in the splitter's identity
      Field<SentenceOptions>{.name = "language",
                             .member = &SentenceOptions::language,
                             .unit = "tag",
                             .help = "icu: language of its rules, a BCP 47 tag such as en or pt-BR"},
  };
  return kFields;
}

void check_sentences(const SentenceOptions& options) {
  validate(options);
  const std::string& chosen = options.sentences;
  if (!options.punkt.empty() && (chosen == "icu" || chosen == "lines")) {
    throw ConfigError("--punkt counts for --sentences punkt only, not for " + chosen, {},
                      "set sentences to punkt, or leave punkt out");
  }
  if (options.language != SentenceOptions().language && chosen != "icu") {
    throw ConfigError("--language counts for --sentences icu only, not for " + chosen, {},
                      "set sentences to icu, or choose the Punkt parameters of the language with --punkt");
  }
}

std::unique_ptr<const SentenceSplitter> make_sentence_splitter(const SentenceOptions& options) {
  check_sentences(options);
  if (options.sentences == "lines") return std::make_unique<LineSplitter>();
  if (options.sentences == "icu") return std::make_unique<IcuSplitter>(options.language);
  if (options.punkt.empty()) {
    throw ConfigError("--sentences punkt needs its parameters", {}, "give --punkt DIR or use --sentences icu");
  }
  return std::make_unique<PunktSplitter>(options.punkt);
}

}  // namespace bertprep
