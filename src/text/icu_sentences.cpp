#include "text/icu_sentences.h"

#include <unicode/locid.h>

#include <limits>

#include "bertprep/base/error.h"
#include "unicode/properties/sentence_breaks.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

bool is_known(const icu::Locale& locale) {
  const std::string_view language = locale.getLanguage();
  if (language.empty()) return !locale.isBogus();
  for (const char* const* code = icu::Locale::getISOLanguages(); *code != nullptr; ++code) {
    if (language == *code) return true;
  }
  return false;
}

void require_known(const std::string& language) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Locale locale = icu::Locale::forLanguageTag(language, status);
  if (language.empty() || U_FAILURE(status) || !is_known(locale)) {
    throw ConfigError("`language` is '" + language + "', which is not a language that ICU knows", {},
                      "give a BCP 47 tag such as en, de or zh-Hant, or und for rules of no particular language");
  }
}

void add_script_sentences(std::string_view text, std::vector<std::string_view>& sentences) {
  while (!text.empty()) {
    const std::size_t bytes = first_script_sentence(text);
    if (const std::string_view sentence = strip(text.substr(0, bytes)); !sentence.empty()) {
      sentences.push_back(sentence);
    }
    text.remove_prefix(bytes);
  }
}

}  // namespace

IcuSplitter::IcuSplitter(const std::string& language) : language_(language) {
  require_known(language);
  breaks_ = std::make_unique<unicode::SentenceBreaks>(language);
}

IcuSplitter::~IcuSplitter() = default;

void IcuSplitter::split(std::string_view article, std::vector<std::string_view>& sentences) const {
  sentences.clear();
  if (article.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw FormatError("an article of 2 GiB or more can't be split into sentences by ICU");
  }
  std::size_t begin = 0;
  for (const std::size_t end : breaks_->ends(article)) {
    add_script_sentences(article.substr(begin, end - begin), sentences);
    begin = end;
  }
}

std::string IcuSplitter::version() const {
  return unicode::sentence_rules_version() + ", language " + language_ + ", abbreviation rules 1, script rules 1";
}

}  // namespace bertprep
