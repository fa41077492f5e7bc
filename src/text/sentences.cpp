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

std::unique_ptr<const SentenceSplitter> make_sentence_splitter(const SentenceOptions& options) {
  validate(options);
  if (options.sentences == "lines") return std::make_unique<LineSplitter>();
  if (options.sentences == "icu") return std::make_unique<IcuSplitter>(options.language);
  if (options.punkt.empty()) {
    throw ConfigError("--sentences punkt needs its parameters", {}, "give --punkt DIR or use --sentences icu");
  }
  return std::make_unique<PunktSplitter>(options.punkt);
}

}  // namespace bertprep
