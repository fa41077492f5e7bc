#include "text/icu_sentences.h"
#include "io/strip.h"

#include <unicode/brkiter.h>
#include <unicode/locid.h>
#include <unicode/utext.h>
#include <unicode/uversion.h>

#include <limits>

#include "bertprep/base/error.h"
#include "text/code_points.h"
#include "text/icu_abbreviations.h"

namespace bertprep {
namespace {

void require_success(UErrorCode status, const char* what) {
  if (U_FAILURE(status)) throw Error(std::string("ICU can't ") + what + ": " + u_errorName(status));
}

bool is_known(const icu::Locale& locale) {
  const std::string_view language = locale.getLanguage();
  if (language.empty()) return !locale.isBogus();
  for (const char* const* code = icu::Locale::getISOLanguages(); *code != nullptr; ++code) {
    if (language == *code) return true;
  }
  return false;
}

icu::Locale locale_of(const std::string& language) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Locale locale = icu::Locale::forLanguageTag(language, status);
  if (language.empty() || U_FAILURE(status) || !is_known(locale)) {
    throw ConfigError("--language is '" + language + "', which is no language that ICU knows", {},
                      "give a BCP 47 tag such as en, de or zh-Hant, or und for rules of no language");
  }
  return locale;
}

std::unique_ptr<const icu::BreakIterator> make_iterator(const icu::Locale& locale) {
  UErrorCode status = U_ZERO_ERROR;
  std::unique_ptr<const icu::BreakIterator> iterator(icu::BreakIterator::createSentenceInstance(locale, status));
  require_success(status, "make a sentence iterator");
  return iterator;
}

bool ends_in_paragraph_separator(std::string_view text) {
  const char* end = text.data() + text.size();
  const char32_t c = previous_code_point(end);
  return c == '\n' || c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029;
}

// UTF-8 that a break iterator walks through in place.
class Utf8Text {
 public:
  explicit Utf8Text(std::string_view text) {
    UErrorCode status = U_ZERO_ERROR;
    utext_openUTF8(&text_, text.data(), static_cast<std::int64_t>(text.size()), &status);
    require_success(status, "read an article");
  }
  ~Utf8Text() { utext_close(&text_); }
  Utf8Text(const Utf8Text&) = delete;
  Utf8Text& operator=(const Utf8Text&) = delete;

  UText* get() { return &text_; }

 private:
  UText text_ = UTEXT_INITIALIZER;
};

std::string icu_version_text() {
  UVersionInfo version;
  u_getVersion(version);
  return std::to_string(version[0]) + '.' + std::to_string(version[1]);
}

}  // namespace

struct IcuSplitter::Rules {
  explicit Rules(const icu::Locale& locale) : iterator(make_iterator(locale)), abbreviations(locale.getLanguage()) {}

  std::unique_ptr<const icu::BreakIterator> iterator;
  IcuAbbreviations abbreviations;
};

IcuSplitter::IcuSplitter(const std::string& language)
    : language_(language), rules_(std::make_unique<Rules>(locale_of(language))) {}

IcuSplitter::~IcuSplitter() = default;

void IcuSplitter::split(std::string_view article, std::vector<std::string_view>& sentences) const {
  sentences.clear();
  if (article.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw FormatError("an article of 2 GiB or more can't be split into sentences by ICU");
  }
  // A clone costs a few microseconds; a new iterator would load its rules again.
  const std::unique_ptr<icu::BreakIterator> iterator(rules_->iterator->clone());
  Utf8Text text(article);
  UErrorCode status = U_ZERO_ERROR;
  iterator->setText(text.get(), status);
  require_success(status, "read an article");
  std::size_t begin = 0;
  for (std::int32_t at = iterator->next(); at != icu::BreakIterator::DONE; at = iterator->next()) {
    const auto end = static_cast<std::size_t>(at);
    const std::string_view part = article.substr(begin, end - begin);
    if (!ends_in_paragraph_separator(part) && end != article.size() &&
        rules_->abbreviations.joins(strip_end(part), article.substr(end))) {
      continue;
    }
    const std::string_view sentence = strip(part);
    if (!sentence.empty()) sentences.push_back(sentence);
    begin = end;
  }
}

std::string IcuSplitter::version() const {
  return icu_version_text() + ", language " + language_ + ", abbreviation rules 1";
}

}  // namespace bertprep
