#include "text/icu_sentences.h"

#include <unicode/locid.h>

#include <array>
#include <limits>

#include "bertprep/base/error.h"
#include "unicode/code_points.h"
#include "unicode/properties/properties.h"
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

constexpr std::array<std::string_view, 15> kMarks = {
    // "And so on" in Khmer, spelled between two marks.
    "\u17D4\u179B\u17D4",
    "\u17D4\u1794\u17C1\u17D4",
    "\u17D4",  // Khmer khan, at the end of a sentence
    "\u17D5",  // Khmer bariyoosan, of a paragraph
    "\u17DA",  // Khmer koomuut, of a text
    "\u0F0D",  // Tibetan shad
    "\u0F0E",  // and its doubles and varieties
    "\u0F0F",
    "\u0F10",
    "\u0F11",
    "\u0F12",
    "\u0E5A",        // Thai angkhankhu, at the end of a long segment
    "\u0E5B",        // Thai khomut, of a chapter
    "\u037E",        // Greek question mark
    "\u1361\u1361",  // two Ethiopic word spaces used as a full stop
};
constexpr std::array<std::string_view, 12> kClosing = {"\"", "'",      ")",      "]",      "}",      "\u00BB",
                                                       "!",  "\u2019", "\u201D", "\u300D", "\u300F", "?"};

// Length of the one of `marks` with which `text` begins; 0 if none.
template <std::size_t kCount>
std::size_t mark_at(const std::array<std::string_view, kCount>& marks, std::string_view text) {
  for (const std::string_view mark : marks) {
    if (text.starts_with(mark)) return mark.size();
  }
  return 0;
}

// Whether a mark may begin with these bytes: scripts have thousands of letters for each mark.
bool may_begin_mark(char first, char second) {
  switch (first) {
    case '\xCD':
      return second == '\xBE';
    case '\xE0':
      return second == '\xB9' || second == '\xBC';
    case '\xE1':
      return second == '\x8D' || second == '\x9F';
    default:
      return false;
  }
}

// The position after the mark at `at`, `bytes` long, and all that closes the sentence with it.
std::size_t skip_end(std::string_view text, std::size_t at, std::size_t bytes) {
  while (bytes != 0) {
    at += bytes;
    while (const std::size_t closing = mark_at(kClosing, text.substr(at))) at += closing;
    at = unicode::skip_spaces(text, at);
    bytes = mark_at(kMarks, text.substr(at));
  }
  return at;
}

bool has_letter(std::string_view text) {
  for (const char *at = text.data(), *end = at + text.size(); at != end;) {
    const char32_t c = unicode::next_code_point(at);
    if (unicode::is_word_not_digit(c) || unicode::is_decimal_digit(c)) return true;
  }
  return false;
}

// The length in bytes of the first sentence of `text` (valid UTF-8), including its marks and the quotes and white space
// after them; all of `text` if there is no such mark, or nothing follows it. Marks before the first letter don't end a
// sentence.
std::size_t first_script_sentence(std::string_view text) {
  std::size_t head = 0;  // no letter before it
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    if (!may_begin_mark(text[at], text[at + 1])) continue;
    const std::size_t bytes = mark_at(kMarks, text.substr(at));
    if (bytes == 0) continue;
    if (has_letter(text.substr(head, at - head))) return skip_end(text, at, bytes);
    head = at + bytes;
  }
  return text.size();
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
