#include "bertprep/text/sentences.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/fields.h"
#include "text/icu_sentences.h"
#include "text/punkt.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

// In the order of SentenceRules.
constexpr std::string_view kRuleNames = "auto|punkt|icu|lines";

// Each line of the article is a sentence: stripped of white space; empty ones are dropped.
class LineSplitter final : public SentenceSplitter {
 public:
  std::string name() const override { return "lines"; }
  std::string version() const override { return {}; }

  void split(std::string_view article, std::vector<std::string_view>& sentences) const override {
    sentences.clear();
    while (!article.empty()) {
      const std::size_t end = std::min(article.find('\n'), article.size());
      const std::string_view line = strip(article.substr(0, end));
      if (!line.empty()) sentences.push_back(line);
      article.remove_prefix(std::min(end + 1, article.size()));
    }
  }
};

// Enforces the contract of a custom splitter, because the sentence index depends on the positions.
class CheckedSplitter final : public SentenceSplitter {
 public:
  explicit CheckedSplitter(std::shared_ptr<const SentenceSplitter> custom) : custom_(std::move(custom)) {}

  std::string name() const override { return custom_->name(); }
  std::string version() const override { return custom_->version(); }

  void split(std::string_view article, std::vector<std::string_view>& sentences) const override {
    custom_->split(article, sentences);
    const char* end = article.data();
    const std::less_equal<const char*> is_at_most;
    for (const std::string_view sentence : sentences) {
      const bool is_inside = is_at_most(end, sentence.data()) &&
                             is_at_most(sentence.data() + sentence.size(), article.data() + article.size());
      if (!is_inside) refuse("a sentence that is not in the article after the previous one", article);
      if (strip(sentence).empty()) refuse("a blank sentence", article);
      end = sentence.data() + sentence.size();
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& what, std::string_view article) const {
    constexpr std::size_t kShown = 60;
    throw FormatError("the sentence splitter '" + custom_->name() + "' gave " + what, {},
                      "the article begins '" + std::string(valid_prefix(article.substr(0, kShown))) + "'");
  }

  // Without an incomplete character.
  static std::string_view valid_prefix(std::string_view text) {
    return text.substr(0, find_invalid_utf8(text).value_or(text.size()));
  }

  std::shared_ptr<const SentenceSplitter> custom_;
};

void check_custom(const SentenceOptions& options) {
  check_component(*options.custom, "the sentence splitter");
  if (options.rules == SentenceRules::kAuto && options.punkt.empty() && options.language == SentenceOptions().language)
    return;
  throw ConfigError("rules, punkt and language have no effect with a custom sentence splitter", {},
                    "leave them at their defaults, or leave the splitter out");
}

}  // namespace

OptionGroup group_of(const SentenceOptions* /*options*/) {
  return OptionGroup::kText;
}

std::span<const Field<SentenceOptions>> fields_of(const SentenceOptions* /*options*/) {
  static constexpr std::array kFields = {
      Field<SentenceOptions>{.name = "sentences",
                             .member = enum_member<&SentenceOptions::rules>,
                             .unit = {},
                             .help = "how to split sentences: with Punkt as in the reference, with ICU's rules, or one "
                                     "per line; auto: lines for text shards, else punkt",
                             .choices = kRuleNames},
      Field<SentenceOptions>{.name = "punkt",
                             .member = &SentenceOptions::punkt,
                             .unit = "dir",
                             .help = "punkt: folder with its parameters, in NLTK's punkt_tab layout; run and plan also "
                                     "accept a language to fetch, by default english",
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
  if (options.custom != nullptr) return check_custom(options);
  const std::string chosen(choice_name("sentences", static_cast<std::size_t>(options.rules), kRuleNames));
  if (!options.punkt.empty() && (options.rules == SentenceRules::kIcu || options.rules == SentenceRules::kLines)) {
    throw ConfigError("`punkt` works only with `sentences` punkt, not with " + chosen, {},
                      "set sentences to punkt, or leave punkt out");
  }
  if (options.language != SentenceOptions().language && options.rules != SentenceRules::kIcu) {
    throw ConfigError("`language` works only with `sentences` icu, not with " + chosen, {},
                      "set sentences to icu, or choose the Punkt parameters of the language with `punkt`");
  }
}

std::shared_ptr<const SentenceSplitter> make_sentence_splitter(const SentenceOptions& options) {
  check_sentences(options);
  if (options.custom != nullptr) return std::make_shared<CheckedSplitter>(options.custom);
  if (options.rules == SentenceRules::kLines) return std::make_shared<LineSplitter>();
  const bool is_icu = options.rules == SentenceRules::kAuto && options.punkt.empty();
  if (is_icu || options.rules == SentenceRules::kIcu) return std::make_shared<IcuSplitter>(options.language);
  if (options.punkt.empty()) {
    throw ConfigError("`sentences` punkt needs its parameters", {}, "give `punkt` DIR or use `sentences` icu");
  }
  return std::make_shared<PunktSplitter>(options.punkt);
}

}  // namespace bertprep
