#include "unicode/properties/sentence_breaks.h"

#include <unicode/brkiter.h>
#include <unicode/locid.h>
#include <unicode/unistr.h>
#include <unicode/ures.h>
#include <unicode/utext.h>
#include <unicode/uversion.h>

#include <algorithm>
#include <array>
#include <functional>
#include <unordered_map>

#include "bertprep/base/error.h"
#include "unicode/properties/properties.h"
#include "unicode/utf8_text.h"

namespace bertprep::unicode {
namespace {

// Titles before names. CLDR's English list has "Mr." and "Prof.", but not these.
constexpr std::array kEnglishTitles = {"Dr.",  "St.",   "Gen.",    "Gov.", "Sen.",
                                       "Hon.", "Cmdr.", "Messrs.", "Mme.", "Mlle."};

// Never another language's list: opened directly, ICU does not fall back to the language of the system.
std::vector<std::string> sentence_break_exceptions(const std::string& language) {
  UErrorCode status = U_ZERO_ERROR;
  using Bundle = icu::LocalUResourceBundlePointer;
  const Bundle rules(ures_openDirect(U_ICUDATA_NAME "-brkitr", language.c_str(), &status));
  const Bundle exceptions(ures_getByKey(rules.getAlias(), "exceptions", nullptr, &status));
  const Bundle list(ures_getByKey(exceptions.getAlias(), "SentenceBreak", nullptr, &status));
  std::vector<std::string> texts;
  if (status == U_MISSING_RESOURCE_ERROR) return texts;
  for (std::int32_t i = 0; U_SUCCESS(status) && i < ures_getSize(list.getAlias()); ++i) {
    icu::ures_getUnicodeStringByIndex(list.getAlias(), i, &status).toUTF8String(texts.emplace_back());
  }
  if (U_FAILURE(status)) {
    throw Error("ICU can't read the abbreviations of '" + language + "': " + u_errorName(status));
  }
  return texts;
}

bool goes_on_before(std::string_view text, std::size_t at) {
  if (at == 0) return false;
  const char* end = text.data() + at;
  const char32_t c = previous_code_point(end);
  return c == '.' || is_word_not_digit(c) || is_decimal_digit(c);
}

// The abbreviations of a language after which no sentence ends, from CLDR's list of sentence break exceptions in ICU's
// data.
//
// ICU's own filter for that list ignores where words begin: the "O." of the list prevents the break in "They joined
// NATO. Then". Here, only whole words match.
class SentenceAbbreviations {
 public:
  // `language` is an ISO 639 code. Languages without a list have no abbreviations.
  explicit SentenceAbbreviations(const std::string& language) {
    if (language.empty()) return;
    for (const std::string& abbreviation : sentence_break_exceptions(language)) add(abbreviation);
    if (language == "en") {
      for (const char* title : kEnglishTitles) add(title);
    }
  }

  // True if `before`, which must not end in white space, ends in an abbreviation; one of several words ("z. B.") may
  // continue at the start of `after`.
  bool joins(std::string_view before, std::string_view after) const {
    for (std::size_t length = 1; length <= std::min(longest_bytes_, before.size()); ++length) {
      const std::size_t begin = before.size() - length;
      const auto found = rests_.find(before.substr(begin));
      if (found == rests_.end() || goes_on_before(before, begin)) continue;
      const auto follows = [&](const std::string& rest) { return after.starts_with(rest); };
      if (std::any_of(found->second.begin(), found->second.end(), follows)) return true;
    }
    return false;
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };

  void add(const std::string& abbreviation) {
    rests_[abbreviation].emplace_back();
    longest_bytes_ = std::max(longest_bytes_, abbreviation.size());
    for (std::size_t blank = abbreviation.find(' '); blank != std::string::npos;
         blank = abbreviation.find(' ', blank + 1)) {
      rests_[abbreviation.substr(0, blank)].push_back(abbreviation.substr(blank + 1));
    }
  }

  // The possible rests of each abbreviation or its beginning; "" for a complete one.
  std::unordered_map<std::string, std::vector<std::string>, Hash, std::equal_to<>> rests_;
  std::size_t longest_bytes_ = 0;
};

icu::Locale locale_of(const std::string& language) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Locale locale = icu::Locale::forLanguageTag(language, status);
  return U_FAILURE(status) ? icu::Locale::getRoot() : locale;
}

std::unique_ptr<const icu::BreakIterator> make_iterator(const icu::Locale& locale) {
  UErrorCode status = U_ZERO_ERROR;
  std::unique_ptr<const icu::BreakIterator> iterator(icu::BreakIterator::createSentenceInstance(locale, status));
  require_icu(status, "make a sentence iterator");
  return iterator;
}

bool ends_in_paragraph_separator(std::string_view text) {
  const char* end = text.data() + text.size();
  const char32_t c = previous_code_point(end);
  return c == '\n' || c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029;
}

// UTF-8 that a break iterator scans in place.
class Utf8Text {
 public:
  explicit Utf8Text(std::string_view text) {
    UErrorCode status = U_ZERO_ERROR;
    utext_openUTF8(&text_, text.data(), static_cast<std::int64_t>(text.size()), &status);
    require_icu(status, "read an article");
  }
  ~Utf8Text() { utext_close(&text_); }
  Utf8Text(const Utf8Text&) = delete;
  Utf8Text& operator=(const Utf8Text&) = delete;

  UText* get() { return &text_; }

 private:
  UText text_ = UTEXT_INITIALIZER;
};

}  // namespace

struct SentenceBreaks::Rules {
  explicit Rules(const icu::Locale& locale) : iterator(make_iterator(locale)), abbreviations(locale.getLanguage()) {}

  std::unique_ptr<const icu::BreakIterator> iterator;
  SentenceAbbreviations abbreviations;
};

SentenceBreaks::SentenceBreaks(const std::string& language)
    : rules_(std::make_unique<const Rules>(locale_of(language))) {}

SentenceBreaks::~SentenceBreaks() = default;

std::vector<std::size_t> SentenceBreaks::ends(std::string_view text) const {
  std::vector<std::size_t> ends;
  // A clone costs a few microseconds; a new iterator would reload its rules.
  const std::unique_ptr<icu::BreakIterator> iterator(rules_->iterator->clone());
  Utf8Text scanned(text);
  UErrorCode status = U_ZERO_ERROR;
  iterator->setText(scanned.get(), status);
  require_icu(status, "read an article");
  std::size_t begin = 0;
  for (std::int32_t at = iterator->next(); at != icu::BreakIterator::DONE; at = iterator->next()) {
    const auto end = static_cast<std::size_t>(at);
    const std::string_view part = text.substr(begin, end - begin);
    if (!ends_in_paragraph_separator(part) && end != text.size() &&
        rules_->abbreviations.joins(strip_end(part), text.substr(end))) {
      continue;
    }
    ends.push_back(end);
    begin = end;
  }
  return ends;
}

std::string sentence_rules_version() {
  UVersionInfo version;
  u_getVersion(version);
  return std::to_string(version[0]) + '.' + std::to_string(version[1]);
}

}  // namespace bertprep::unicode
