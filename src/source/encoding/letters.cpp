#include "source/encoding/letters.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "source/encoding/converter.h"

namespace bertprep {
namespace {

constexpr std::array kAlphabets = {
    // Latin, in the encodings of Central Europe, Turkey and the Baltic; the others need no list.
    Alphabet{"Czech", Script::kLatin, "í210 á170 ě120 é100 ř85 č75 ž75 ý70 š60 ů45 ú10 ó4 ť4 ď3 ň2"},
    Alphabet{"Slovak", Script::kLatin, "á210 í130 é110 ý100 č90 ž80 ú75 š65 ľ45 ť45 ô18 ň15 ä10 ó10 ď8 ĺ2 ŕ2"},
    Alphabet{"Polish", Script::kLatin, "ł230 ę180 ą150 ó140 ż130 ś95 ć60 ń30 ź10"},
    Alphabet{"Hungarian", Script::kLatin, "é290 á290 ö90 ő80 ó85 í55 ü55 ú30 ű25"},
    Alphabet{"Croatian", Script::kLatin, "š260 č260 ž200 ć180 đ100"},
    Alphabet{"Slovenian", Script::kLatin, "č420 š290 ž280 ć5"},
    Alphabet{"Romanian", Script::kLatin, "ă330 î180 ţ180 ş180 â110"},
    Alphabet{"Romanian with commas", Script::kLatin, "ă330 î180 ț180 ș180 â110"},
    Alphabet{"Lower Sorbian", Script::kLatin, "ł240 š170 ě170 ś150 ź70 ć70 ó50 č40 ž40 ń30 ŕ20"},
    Alphabet{"Upper Sorbian", Script::kLatin, "ł230 š150 ě200 ć130 ó90 č70 ž80 ř20 ń20 ś2 ź2"},
    Alphabet{"Turkish", Script::kLatin, "ı330 ü130 ş120 ğ80 ç85 ö65 İ30 â8 î5 û2"},
    Alphabet{"Azerbaijani", Script::kLatin, "ə400 ı200 ü80 ş70 ğ50 ç40 ö50 İ10"},
    Alphabet{"Lithuanian", Script::kLatin, "ė220 š170 ž120 į110 ų140 ū70 ą90 č60 ę25"},
    Alphabet{"Latvian", Script::kLatin, "ā370 ī180 ē150 š90 ū50 ņ50 ļ40 ž30 ģ15 č15 ķ15 ŗ2"},
    Alphabet{"Estonian", Script::kLatin, "õ300 ä340 ü230 ö80 š5 ž3"},
    Alphabet{"Maltese", Script::kLatin, "ħ400 ż300 ġ200 ċ80 à40"},
    Alphabet{"Esperanto", Script::kLatin, "ĝ240 ŭ220 ĉ240 ĵ100 ŝ140 ĥ20"},
    Alphabet{"Welsh", Script::kLatin, "ŵ250 ŷ200 â200 ô120 ê80 î80 û30 ï20"},
    Alphabet{"Vietnamese", Script::kLatin,
             "đ110 à70 á60 ư60 ô50 ê45 â40 ơ35 ạ45 ả30 ó30 ế35 ộ40 ì25 í20 ề30 ấ25 ă20 ị25 ủ20 ợ15 ờ15 ã15 ố15 ể20 "
             "ậ15 ầ12 ứ12 ự12 ữ12 ồ12 ớ10 ử8 ắ10 ằ6 ẽ6 ẹ6 ẻ5 ễ4 ệ20 ỉ6 ĩ4 ọ12 ỏ6 õ6 ỗ5 ổ10 ở10 ỡ3 ụ15 ũ8 ú10 ù6 ừ6 ặ10 "
             "ẳ3 ẵ2 ẩ3 ẫ3 ỳ2 ý5 ỷ2 ỹ2 ỵ1 è3 é5 ò6"},
    Alphabet{"Vietnamese with combining marks", Script::kLatin,
             "\u0301"
             "220 \u0300"
             "190 \u0323"
             "180 \u0309"
             "100 \u0303"
             "60 đ110 ư60 ô50 ê60 â50 ơ50 ă30"},
    // Cyrillic.
    Alphabet{
        "Russian", Script::kCyrillic,
        "о109 е85 а80 и74 н67 т63 с55 р47 в45 л44 к35 м32 д30 п28 у26 я20 ы19 ь17 г17 з16 б16 ч14 й12 х10 ж9 ш7 ю6 "
        "ц5 щ4 э3 ф3 ъ1 ё1"},
    Alphabet{
        "Ukrainian", Script::kCyrillic,
        "о94 а83 н68 и61 і57 в53 т53 е48 р47 с41 к36 л36 у33 м31 д31 п28 я23 з21 ь18 б17 г16 ч14 й14 х11 ж9 ц8 ю8 ш7 "
        "ї7 є5 щ4 ф3 ґ1"},
    Alphabet{
        "Belarusian", Script::kCyrillic,
        "а150 н65 і60 р50 е47 о43 л42 с42 к38 в36 т35 п30 м30 я47 ц40 у34 д30 ы37 ь16 з25 ў24 г16 б16 э15 ч15 й11 ж9 "
        "ш8 х9 ю7 ё7 ф2"},
    Alphabet{
        "Bulgarian", Script::kCyrillic,
        "а120 о88 и90 е83 т75 н70 в46 р48 с48 л32 д36 к34 п29 м23 з22 я18 ъ18 г15 б14 у13 ч14 ж7 ц8 щ6 ш5 х6 ю2 ф2 й6 "
        "ь1"},
    Alphabet{
        "Serbian", Script::kCyrillic,
        "а115 о96 и93 е88 н57 с49 р47 ј43 т43 у41 в37 д35 к35 п27 м30 л32 з17 г16 б15 ч10 х7 ш8 ц8 ж6 њ7 љ6 ћ6 ђ2 ф3 "
        "џ1"},
    Alphabet{
        "Macedonian", Script::kCyrillic,
        "а125 о95 и80 е90 н60 т70 р45 с45 в40 д35 к32 л25 п27 м23 у21 ј22 з18 г15 ш7 б13 ц10 ч8 ж6 њ3 љ2 ќ3 ѓ2 ф3 ѕ1 "
        "х3 џ1"},
    // Others.
    Alphabet{
        "Greek", Script::kGreek,
        "α90 ο80 ι70 τ80 ε70 ν65 σ50 ς40 η45 ρ42 π40 κ40 μ33 λ26 ω20 υ30 ί26 ά24 ό22 έ22 ή18 ύ10 ώ13 θ14 δ17 γ18 χ11 "
        "φ8 β7 ξ5 ζ4 ψ2 ϊ1 ϋ1"},
    Alphabet{"Hebrew", Script::kHebrew,
             "ו105 י110 ה90 ל75 א60 ר60 ת55 ב50 מ48 ש48 ם30 נ28 ד25 ח22 כ22 ע30 פ20 ק20 ט13 ג12 ז12 ן15 ס15 צ13 ך8 ף3 "
             "ץ3"},
    Alphabet{"Hebrew with points", Script::kHebrew,
             "ו70 י70 ה60 ל50 א40 ר40 ת35 ב35 מ32 ש32 ם20 נ18 ד17 ח15 כ15 ע20 פ13 ק13 ט8 ג8 ז8 ן10 ס10 צ9 ך5 ף2 ץ2 "
             "\u05B0"
             "40 \u05B4"
             "40 \u05B7"
             "50 \u05B8"
             "50 \u05B5"
             "25 \u05B6"
             "30 \u05B9"
             "25 \u05BC"
             "50 \u05BB"
             "5 \u05C1"
             "25 \u05C2"
             "8 \u05B1"
             "3 \u05B2"
             "8 "
             "\u05B3"
             "2"},
    Alphabet{
        "Arabic", Script::kArabic,
        "ا150 ل120 ي70 م60 و60 ن55 ر45 ت45 ب35 ة35 ع35 د30 س25 ف30 ه30 ك25 ق25 أ25 ح22 ج15 ش12 ص12 ى12 إ10 خ9 ض8 ط10 "
        "ذ8 ث6 ز6 غ5 ئ5 ء5 ظ3 ؤ2 آ2"},
    Alphabet{
        "Persian", Script::kArabic,
        "ا140 ی90 ي50 ر75 ن65 د65 ه60 م50 و60 ت45 ب40 س35 ش30 ل28 ک25 ك15 ز20 ف14 گ12 ع14 خ14 ق11 آ10 ج11 ح11 پ10 چ5 "
        "ص9 ط6 غ4 ض3 ذ2 ث1 ظ2 ژ1 ئ2 أ2"},
    Alphabet{"Thai", Script::kThai,
             "า95 น70 ร65 อ60 ก55 เ55 ง45 ่50 ้45 ม40 ย40 ล35 ว35 ด35 ท35 ส32 ต30 ั45 ี35 ิ30 ห30 บ30 ป25 ะ25 ค25 แ22 "
             "จ22 พ20 ็12 ื18 ุ18 ู15 ข20 ไ20 ใ18 โ14 ช18 ่10 ์14 ถ12 ผ9 ซ6 ภ8 ศ8 ณ8 ญ6 ธ7 ึ10 ำ18 ฟ4 ษ6 ฉ2 ๆ3 ฐ3 ฎ1 "
             "ฏ1 ฑ1 ฒ1 ฆ1 ฌ1 ฝ1 ฮ1 ฤ1 ๊1 ๋1"},
};

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

struct LetterCandidate {
  const char* encoding;
  std::vector<Script> scripts;
  bool takes_unknown_languages;
  bool is_of_old_system;
  double prior;
};

// Of encodings with the same letters, the more common ones first.
const std::vector<LetterCandidate>& candidates() {
  using enum Script;
  static const std::vector<LetterCandidate> kCandidates = {{"windows-1252", {kLatin}, true, false, 0},
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

std::span<const Alphabet> known_alphabets() {
  return kAlphabets;
}

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
  const auto consider = [&](const LetterCandidate& candidate, double score) {
    score += candidate.prior;
    if (score <= best_score) return;
    best_score = score;
    best = candidate.encoding;
  };
  for (const LetterCandidate& candidate : candidates()) {
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
