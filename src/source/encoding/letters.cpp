#include "source/encoding/letters.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "source/encoding/converter.h"

namespace bertprep {
namespace {

bool is_small(unsigned char byte) {
  return byte >= 'a' && byte <= 'z';
}

bool is_ascii_letter(unsigned char byte) {
  return is_small(byte) || (byte >= 'A' && byte <= 'Z');
}

bool may_be_letter(unsigned char byte) {
  return byte >= 0x80 || is_ascii_letter(byte);
}

constexpr UChar32 kUnassigned = -1;

// Shares of what a byte from 0x80 on represents.
constexpr double kSmallLetters = 0.8;
constexpr double kCapitals = 0.04;
constexpr double kCommonMark = 0.007;    // each, or its observed share with the penalty kAnyShare
constexpr double kRareMark = 0.0005;     // each
constexpr double kForeignLetter = 3e-4;  // of the same script
constexpr double kOtherScript = 1e-5;
constexpr double kNoText = 1e-8;

// In nats (natural logarithms of shares).
constexpr double kUnknownLanguage = 0.85;  // penalty of a letter, on top of its share among the letters seen
constexpr double kOldSystem = 1.5;         // additional penalty for an encoding of DOS or of the old Macintosh
constexpr double kAnyShare = 0.85;         // likewise for a mark; some write an apostrophe in every word
constexpr double kLetterAlone = 2.0;
constexpr double kSignInWord = 7.0;
constexpr double kCapitalAfterSmall = 5.0;
constexpr double kWrongShare = 3.0;

struct Candidate {
  const char* encoding;
  std::vector<Script> scripts;
  bool takes_unknown_languages;
  bool is_of_old_system;
  double prior;
};

// Of encodings with the same letters, the more common ones first.
const std::vector<Candidate>& candidates() {
  using enum Script;
  static const std::vector<Candidate> kCandidates = {{"windows-1252", {kLatin}, true, false, 0},
                                                     {"ISO-8859-15", {kLatin}, true, false, -6},
                                                     {"windows-1250", {kLatin}, false, false, -4},
                                                     {"ISO-8859-2", {kLatin}, false, false, -4},
                                                     {"windows-1251", {kCyrillic}, false, false, -4},
                                                     {"ISO-8859-5", {kCyrillic}, false, false, -4},
                                                     {"KOI8-U", {kCyrillic}, false, false, -4},
                                                     {"windows-1253", {kGreek}, false, false, -4},
                                                     {"ISO-8859-7", {kGreek}, false, false, -4},
                                                     {"windows-1254", {kLatin}, false, false, -4},
                                                     {"windows-1255", {kHebrew}, false, false, -4},
                                                     {"ISO-8859-8", {kHebrew}, false, false, -4},
                                                     {"windows-1256", {kArabic}, false, false, -4},
                                                     {"ISO-8859-6", {kArabic}, false, false, -4},
                                                     {"windows-1257", {kLatin}, false, false, -4},
                                                     {"ISO-8859-13", {kLatin}, false, false, -4},
                                                     {"ISO-8859-4", {kLatin}, false, false, -5},
                                                     {"ISO-8859-3", {kLatin}, false, false, -5},
                                                     {"ISO-8859-10", {kLatin}, false, false, -6},
                                                     {"ISO-8859-14", {kLatin}, false, false, -6},
                                                     {"windows-1258", {kLatin}, false, false, -5},
                                                     {"windows-874", {kThai}, false, false, -4},
                                                     {"IBM866", {kCyrillic}, false, true, -6},
                                                     {"x-mac-cyrillic", {kCyrillic}, false, true, -7},
                                                     {"IBM852", {kLatin}, false, true, -7},
                                                     {"x-mac-centraleurroman", {kLatin}, false, true, -8},
                                                     {"IBM850", {kLatin}, true, true, -8},
                                                     {"IBM437", {kLatin}, true, true, -9},
                                                     {"macintosh", {kLatin}, true, true, -8}};
  return kCandidates;
}

// What the bytes from 0x80 on mean in an encoding.
class ByteMeanings {
 public:
  explicit ByteMeanings(const char* encoding) {
    Decoder decoder(encoding);
    std::string text;
    for (std::size_t byte = 0x80; byte < 256; ++byte) {
      const char one = static_cast<char>(byte);
      point_[byte] = kUnassigned;
      if (decoder.decode({&one, 1}, text) || text.empty()) continue;
      std::int32_t at = 0;
      U8_NEXT(text.data(), at, static_cast<std::int32_t>(text.size()), point_[byte]);
    }
  }

  UChar32 of(std::size_t byte) const { return point_[byte]; }

 private:
  std::array<UChar32, 256> point_{};
};

class Frequencies {
 public:
  explicit Frequencies(const Alphabet& alphabet) {
    const std::string_view text = alphabet.letters;
    std::int32_t at = 0;
    double sum = 0;
    while (at < static_cast<std::int32_t>(text.size())) {
      UChar32 letter = 0;
      U8_NEXT(text.data(), at, static_cast<std::int32_t>(text.size()), letter);
      double share = 0;
      for (; at < static_cast<std::int32_t>(text.size()) && text[static_cast<std::size_t>(at)] != ' '; ++at) {
        share = share * 10 + (text[static_cast<std::size_t>(at)] - '0');
      }
      ++at;
      share_[letter] = share;
      sum += share;
    }
    for (auto& [letter, share] : share_) share /= sum;
  }

  double of(UChar32 letter) const {
    const auto found = share_.find(letter);
    return found == share_.end() ? 0 : found->second;
  }

 private:
  std::map<UChar32, double> share_;
};

bool is_common_mark(UChar32 point) {
  static constexpr std::u32string_view kMarks = U"\u00A0«»“”‘’„–—…¿¡º°§·´£€\u00AD";
  return kMarks.find(static_cast<char32_t>(point)) != std::u32string_view::npos;
}

bool may_stand_in_word(UChar32 point) {
  static constexpr std::u32string_view kSigns = U"\u00A0’‘´·–—\u00AD";
  return kSigns.find(static_cast<char32_t>(point)) != std::u32string_view::npos;
}

UScriptCode icu_script(Script script) {
  switch (script) {
    case Script::kLatin:
      return USCRIPT_LATIN;
    case Script::kCyrillic:
      return USCRIPT_CYRILLIC;
    case Script::kGreek:
      return USCRIPT_GREEK;
    case Script::kHebrew:
      return USCRIPT_HEBREW;
    case Script::kArabic:
      return USCRIPT_ARABIC;
    case Script::kThai:
      return USCRIPT_THAI;
  }
  return USCRIPT_COMMON;
}

UScriptCode script_of(UChar32 point) {
  UErrorCode status = U_ZERO_ERROR;
  return uscript_getScript(point, &status);
}

bool is_capital(UChar32 point) {
  return u_charType(point) == U_UPPERCASE_LETTER;
}

bool is_letter(UChar32 point) {
  return point != kUnassigned && u_isalpha(point) && point != U'ª' && point != U'º' && point != U'µ';
}

class Hypothesis {
 public:
  // A null alphabet: an unknown language of `script`.
  Hypothesis(const ByteStatistics& bytes, const ByteMeanings& meanings, const Frequencies* frequencies, Script script)
      : bytes_(bytes), meanings_(meanings), frequencies_(frequencies), script_(icu_script(script)) {
    for (std::size_t byte = 0x80; byte < 256; ++byte) {
      if (is_letter(meanings_.of(byte))) letters_ += bytes_.count[byte];
    }
  }

  std::uint64_t letters() const { return letters_; }

  double score() const {
    double sum = -wrong_share();
    for (std::size_t byte = 0x80; byte < 256; ++byte) {
      if (bytes_.count[byte] != 0) sum += score_of(byte);
    }
    return sum;
  }

 private:
  double score_of(std::size_t byte) const {
    const UChar32 point = meanings_.of(byte);
    double score = static_cast<double>(bytes_.count[byte]) * std::log(share_of(byte, point));
    const bool is_sign = point == kUnassigned || (!u_isalpha(point) && !is_mark_of_language(point));
    if (is_sign && !may_stand_in_word(point)) score -= kSignInWord * static_cast<double>(bytes_.in_word[byte]);
    if (point != kUnassigned && is_capital(point)) {
      score -= kCapitalAfterSmall * static_cast<double>(bytes_.after_lower[byte]);
    }
    if (is_letter(point)) score -= kLetterAlone * static_cast<double>(bytes_.alone[byte]);
    return score;
  }

  bool is_mark_of_language(UChar32 point) const { return frequencies_ != nullptr && frequencies_->of(point) > 0; }

  double share_of(std::size_t byte, UChar32 point) const {
    if (point == kUnassigned || u_iscntrl(point)) return kNoText;
    if (is_mark_of_language(point)) return kSmallLetters * frequencies_->of(point);
    if (!is_letter(point)) return is_common_mark(point) ? share_of_mark(byte) : kRareMark;
    if (script_of(point) != script_) return kOtherScript;
    if (frequencies_ == nullptr) {
      const double seen = static_cast<double>(bytes_.count[byte]) / static_cast<double>(letters_);
      return (is_capital(point) ? kCapitals : kSmallLetters) * seen * std::exp(-kUnknownLanguage);
    }
    const double share = frequencies_->of(u_tolower(point));
    return std::max(kCapitals * share, kForeignLetter);
  }

  double share_of_mark(std::size_t byte) const {
    const double seen = static_cast<double>(bytes_.count[byte]) / static_cast<double>(bytes_.high_bytes);
    return std::max(kCommonMark, seen * std::exp(-kAnyShare));
  }

  // A Latin text consists mostly of ASCII letters, a text in another script has few.
  double wrong_share() const {
    const auto high = static_cast<double>(bytes_.high_bytes);
    const double share = high / (high + static_cast<double>(bytes_.ascii_letters));
    const double excess = script_ == USCRIPT_LATIN ? (share - 0.4) / 0.2 : (0.35 - share) / 0.2;
    return kWrongShare * high * std::clamp(excess, 0.0, 1.0);
  }

  const ByteStatistics& bytes_;
  const ByteMeanings& meanings_;
  const Frequencies* frequencies_;
  UScriptCode script_;
  std::uint64_t letters_ = 0;
};

}  // namespace

ByteStatistics::ByteStatistics(std::string_view bytes) {
  unsigned char before = ' ';
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    ++count[byte];
    if (byte >= 0x80) {
      const auto after =
          i + 1 < bytes.size() ? static_cast<unsigned char>(bytes[i + 1]) : static_cast<unsigned char>(' ');
      ++high_bytes;
      if (is_ascii_letter(before) && is_ascii_letter(after)) ++in_word[byte];
      if (is_small(before)) ++after_lower[byte];
      if (!may_be_letter(before) && !may_be_letter(after)) ++alone[byte];
    } else if (is_ascii_letter(byte)) {
      ++ascii_letters;
    }
    before = byte;
  }
}

std::string guess_by_letters(std::string_view bytes) {
  const ByteStatistics statistics(bytes);
  std::string best;
  double best_score = -std::numeric_limits<double>::infinity();
  const auto consider = [&](const Candidate& candidate, double score) {
    score += candidate.prior;
    if (score <= best_score) return;
    best_score = score;
    best = candidate.encoding;
  };
  for (const Candidate& candidate : candidates()) {
    const ByteMeanings meanings(candidate.encoding);
    if (candidate.takes_unknown_languages) {
      const Hypothesis hypothesis(statistics, meanings, nullptr, Script::kLatin);
      const double old = candidate.is_of_old_system ? kOldSystem * static_cast<double>(hypothesis.letters()) : 0;
      consider(candidate, hypothesis.score() - old);
    }
    for (const Alphabet& alphabet : known_alphabets()) {
      if (std::find(candidate.scripts.begin(), candidate.scripts.end(), alphabet.script) == candidate.scripts.end()) {
        continue;
      }
      const Frequencies frequencies(alphabet);
      consider(candidate, Hypothesis(statistics, meanings, &frequencies, alphabet.script).score());
    }
  }
  return best;
}

}  // namespace bertprep
