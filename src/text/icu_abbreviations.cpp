#include "text/icu_abbreviations.h"

#include <unicode/unistr.h>
#include <unicode/ures.h>

#include <algorithm>
#include <array>
#include <memory>

#include "bertprep/base/error.h"
#include "text/code_points.h"
#include "text/unicode.h"

namespace bertprep {
namespace {

// Titles that stand before a name. CLDR's English list has "Mr." and "Prof.", but none of these.
constexpr std::array kEnglishTitles = {"Dr.",  "St.",   "Gen.",    "Gov.", "Sen.",
                                       "Hon.", "Cmdr.", "Messrs.", "Mme.", "Mlle."};

struct CloseBundle {
  void operator()(UResourceBundle* bundle) const { ures_close(bundle); }
};
using Bundle = std::unique_ptr<UResourceBundle, CloseBundle>;

// Never another language's list: opened directly, ICU does not fall back to the language of the system.
std::vector<std::string> sentence_break_exceptions(const std::string& language) {
  UErrorCode status = U_ZERO_ERROR;
  const Bundle rules(ures_openDirect(U_ICUDATA_NAME "-brkitr", language.c_str(), &status));
  const Bundle exceptions(ures_getByKey(rules.get(), "exceptions", nullptr, &status));
  const Bundle list(ures_getByKey(exceptions.get(), "SentenceBreak", nullptr, &status));
  std::vector<std::string> texts;
  if (status == U_MISSING_RESOURCE_ERROR) return texts;
  for (std::int32_t i = 0; U_SUCCESS(status) && i < ures_getSize(list.get()); ++i) {
    icu::ures_getUnicodeStringByIndex(list.get(), i, &status).toUTF8String(texts.emplace_back());
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
  return c == '.' || unicode::is_word_not_digit(c) || unicode::is_decimal_digit(c);
}

}  // namespace

IcuAbbreviations::IcuAbbreviations(const std::string& language) {
  if (language.empty()) return;
  for (const std::string& abbreviation : sentence_break_exceptions(language)) add(abbreviation);
  if (language == "en") {
    for (const char* title : kEnglishTitles) add(title);
  }
}

void IcuAbbreviations::add(const std::string& abbreviation) {
  rests_[abbreviation].emplace_back();
  longest_bytes_ = std::max(longest_bytes_, abbreviation.size());
  for (std::size_t blank = abbreviation.find(' '); blank != std::string::npos;
       blank = abbreviation.find(' ', blank + 1)) {
    rests_[abbreviation.substr(0, blank)].push_back(abbreviation.substr(blank + 1));
  }
}

bool IcuAbbreviations::joins(std::string_view before, std::string_view after) const {
  for (std::size_t length = 1; length <= std::min(longest_bytes_, before.size()); ++length) {
    const std::size_t begin = before.size() - length;
    const auto found = rests_.find(before.substr(begin));
    if (found == rests_.end() || goes_on_before(before, begin)) continue;
    const auto follows = [&](const std::string& rest) { return after.starts_with(rest); };
    if (std::any_of(found->second.begin(), found->second.end(), follows)) return true;
  }
  return false;
}

}  // namespace bertprep
