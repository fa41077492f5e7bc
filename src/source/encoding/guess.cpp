#include "source/encoding/guess.h"

#include <unicode/uchar.h>
#include <unicode/ucsdet.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <sstream>
#include <utility>

#include "io/loaded_library.h"
#include "source/encoding/converter.h"
#include "source/encoding/embedded.h"
#include "unicode/ascii.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::size_t kBytesForMarks = std::size_t{1} << 20;
constexpr std::size_t kUnitsToABlank = 20;

struct Blanks {
  std::size_t little = 0;  // units that are a blank or line feed with the low byte first
  std::size_t big = 0;
};

bool is_blank(char byte) {
  return byte == ' ' || byte == '\n';
}

Blanks count_blanks(std::string_view bytes) {
  Blanks blanks;
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    if (is_blank(bytes[i]) && bytes[i + 1] == '\0') ++blanks.little;
    if (bytes[i] == '\0' && is_blank(bytes[i + 1])) ++blanks.big;
  }
  return blanks;
}

// Between "~{" and "~}" are pairs of graphic characters (RFC 1843).
bool are_hz_pairs(std::string_view text) {
  return text.size() % 2 == 0 && !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7F'; });
}

// At least one, and all valid.
bool has_hz_escapes(std::string_view text) {
  bool has_pairs = false;
  for (std::size_t begin = text.find("~{"); begin != std::string_view::npos; begin = text.find("~{", begin)) {
    begin += 2;
    const std::size_t end = std::min(text.find("~}", begin), text.find('\n', begin));
    if (!are_hz_pairs(text.substr(begin, std::min(end, text.size()) - begin))) return false;
    has_pairs = true;
  }
  return has_pairs;
}

constexpr std::size_t kBytesForPairs = std::size_t{1} << 18;
constexpr double kEastAsianShare = 0.9;
// Nearly all letters of such a text are East Asian; Latin ones come in names.
constexpr double kMaxLatinToEastAsian = 2.0;

// ICU's detector, in the larger of its libraries.
struct DetectorLibrary {
  LoadedLibrary library{BERTPREP_ICU_I18N_NAME, BERTPREP_ICU_I18N_FILE};
  decltype(&::ucsdet_open) open = function("ucsdet_open");
  decltype(&::ucsdet_close) close = function("ucsdet_close");
  decltype(&::ucsdet_setText) set_text = function("ucsdet_setText");
  decltype(&::ucsdet_detectAll) detect_all = function("ucsdet_detectAll");
  decltype(&::ucsdet_getName) name_of = function("ucsdet_getName");

 private:
  // ICU adds its version to the names of its functions.
  LoadedLibrary::Symbol function(std::string name) const {
    if constexpr (U_DISABLE_RENAMING == 0) name += "_" + std::to_string(U_ICU_VERSION_MAJOR_NUM);
    return library[name.c_str()];
  }
};

constexpr auto icu_detector = loaded<DetectorLibrary>;

struct CloseDetector {
  void operator()(UCharsetDetector* detector) const { icu_detector().close(detector); }
};

struct Shares {
  std::size_t latin = 0;  // ASCII letters
  std::size_t east_asian = 0;
  std::size_t others = 0;  // beyond ASCII
};

bool is_half_width(UChar32 point) {
  return point >= 0xFF61 && point <= 0xFF9F;
}

bool is_east_asian(UChar32 point) {
  if ((point >= 0x3000 && point <= 0x303F) || (point >= 0xFF01 && point <= 0xFF60)) return true;
  UErrorCode status = U_ZERO_ERROR;
  switch (uscript_getScript(point, &status)) {
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_HANGUL:
    case USCRIPT_BOPOMOFO:
      return !is_half_width(point);
    default:
      return false;
  }
}

Shares shares_of(std::string_view text) {
  Shares shares;
  for (std::int32_t at = 0; at < static_cast<std::int32_t>(text.size());) {
    UChar32 point = 0;
    U8_NEXT(text.data(), at, static_cast<std::int32_t>(text.size()), point);
    if (point < 0x80) {
      shares.latin += is_ascii_letter(static_cast<char>(point)) ? 1 : 0;
    } else {
      ++(is_east_asian(point) ? shares.east_asian : shares.others);
    }
  }
  return shares;
}

bool gives_east_asian_text(std::string_view bytes, const std::string& encoding) {
  std::string text;
  const auto fault = Decoder(encoding).decode(bytes, text);
  if (fault && !fault->is_truncated) return false;
  const Shares shares = shares_of(text);
  const auto east_asian = static_cast<double>(shares.east_asian);
  return east_asian >= kEastAsianShare * static_cast<double>(shares.east_asian + shares.others) &&
         static_cast<double>(shares.latin) <= kMaxLatinToEastAsian * east_asian;
}

// The detector's name, and the converter that also accepts Windows' extensions of it.
struct Candidate {
  std::string_view detected;
  const char* encoding;
};

constexpr Candidate kCandidates[] = {{"Shift_JIS", "Shift_JIS"},
                                     {"EUC-JP", "EUC-JP"},
                                     {"EUC-KR", "windows-949"},
                                     {"Big5", "windows-950"},
                                     {"GB18030", "GB18030"}};

// Shift-JIS, EUC-JP, EUC-KR, Big5 and GB 18030: ICU's detector names one of them, all bytes are valid in it, and the
// resulting text is East Asian.
std::optional<std::string> guess_east_asian(std::string_view bytes) {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UCharsetDetector, CloseDetector> detector(icu_detector().open(&status));
  if (U_FAILURE(status)) return std::nullopt;
  const std::string_view sample = bytes.substr(0, kBytesForPairs);
  icu_detector().set_text(detector.get(), sample.data(), static_cast<std::int32_t>(sample.size()), &status);
  std::int32_t count = 0;
  const UCharsetMatch** matches = icu_detector().detect_all(detector.get(), &count, &status);
  if (U_FAILURE(status)) return std::nullopt;
  for (const UCharsetMatch* match : std::span(matches, static_cast<std::size_t>(count))) {
    const std::string_view name = icu_detector().name_of(match, &status);
    for (const Candidate& candidate : kCandidates) {
      if (candidate.detected == name && gives_east_asian_text(bytes, candidate.encoding)) return candidate.encoding;
    }
  }
  return std::nullopt;
}

// "ISO-2022-JP", "ISO-2022-KR", "ISO-2022-CN", "HZ": only ASCII bytes, with escapes.
std::optional<std::string> encoding_by_escapes(std::string_view bytes) {
  constexpr std::pair<std::string_view, const char*> kEscapes[] = {{"\x1B$)C"sv, "ISO-2022-KR"},
                                                                   {"\x1B$)A"sv, "ISO-2022-CN"},
                                                                   {"\x1B$)G"sv, "ISO-2022-CN"},
                                                                   {"\x1B$B"sv, "ISO-2022-JP"},
                                                                   {"\x1B$@"sv, "ISO-2022-JP"}};
  const bool has_escape = bytes.find('\x1B') != std::string_view::npos;
  if ((!has_escape && bytes.find("~{") == std::string_view::npos) || !is_ascii(bytes)) return std::nullopt;
  for (const auto& [escape, name] : kEscapes) {
    if (bytes.find(escape) != std::string_view::npos) return name;
  }
  return has_hz_escapes(bytes) ? std::optional<std::string>("HZ") : std::nullopt;
}

constexpr std::size_t kValidPerFault = 10;
constexpr std::size_t kMaxBytesPerCharacter = 4;
constexpr std::size_t kMaxFaultsChecked = 1000;

// Whether valid multibyte characters far outnumber the faults.
bool is_damaged_utf8(std::string_view bytes) {
  std::size_t faults = 0;
  std::size_t valid = 0;
  while (faults < kMaxFaultsChecked) {
    const auto fault = find_invalid_utf8(bytes);
    const std::string_view part = bytes.substr(0, fault.value_or(bytes.size()));
    for (const char c : part) valid += static_cast<unsigned char>(c) >= 0xC0 ? 1 : 0;
    if (!fault) break;
    // An incomplete character at the end is not a fault.
    if (bytes.size() - *fault >= kMaxBytesPerCharacter) ++faults;
    bytes.remove_prefix(*fault + 1);
  }
  return valid > 0 && valid >= kValidPerFault * faults;
}

bool may_be_letter(unsigned char byte) {
  return byte >= 0x80 || is_ascii_letter(static_cast<char>(byte));
}

bool is_small(unsigned char byte) {
  return byte >= 'a' && byte <= 'z';
}

// Statistics of the bytes of a text in an 8-bit encoding, and of their neighbours.
struct ByteStatistics {
  std::array<std::uint64_t, 256> count{};
  // Of the bytes from 0x80 on:
  std::array<std::uint64_t, 256> in_word{};      // between ASCII letters
  std::array<std::uint64_t, 256> after_lower{};  // after a lower-case ASCII letter
  std::array<std::uint64_t, 256> alone{};        // next to neither ASCII letters nor other bytes from 0x80 on
  std::uint64_t ascii_letters = 0;
  std::uint64_t high_bytes = 0;

  explicit ByteStatistics(std::string_view bytes) {
    unsigned char before = ' ';
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const auto byte = static_cast<unsigned char>(bytes[i]);
      ++count[byte];
      if (byte >= 0x80) {
        const auto after =
            i + 1 < bytes.size() ? static_cast<unsigned char>(bytes[i + 1]) : static_cast<unsigned char>(' ');
        ++high_bytes;
        if (is_ascii_letter(static_cast<char>(before)) && is_ascii_letter(static_cast<char>(after))) ++in_word[byte];
        if (is_small(before)) ++after_lower[byte];
        if (!may_be_letter(before) && !may_be_letter(after)) ++alone[byte];
      } else if (is_ascii_letter(bytes[i])) {
        ++ascii_letters;
      }
      before = byte;
    }
  }
};

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

// What the bytes from 0x80 on mean in an encoding.
class ByteMeanings {
 public:
  explicit ByteMeanings(const std::string& encoding) {
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

// An encoding, as letters.txt has it.
struct LetterEncoding {
  std::string name{};
  UScriptCode script = USCRIPT_COMMON;
  double prior = 0;
  bool takes_unknown_languages = false;
  bool is_of_old_system = false;
};

// The shares of the letters of a language among those beyond ASCII.
class Frequencies {
 public:
  explicit Frequencies(std::istream& letters) {
    double sum = 0;
    for (std::string item; letters >> item;) {
      UChar32 letter = 0;
      std::int32_t at = 0;
      U8_NEXT(item.data(), at, static_cast<std::int32_t>(item.size()), letter);
      sum += share_[letter] = std::stod(item.substr(static_cast<std::size_t>(at)));
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

struct LetterTable {
  std::vector<LetterEncoding> encodings{};
  std::vector<std::pair<UScriptCode, Frequencies>> languages{};
};

LetterTable read_letter_table() {
  LetterTable table;
  std::istringstream lines{std::string(embedded::kLetters)};
  for (std::string text; std::getline(lines, text);) {
    std::istringstream line(text);
    std::string kind, name, script;
    line >> kind;
    if (kind != "encoding" && kind != "letters") continue;
    if (kind == "encoding") line >> name;
    line >> script;
    const auto code = static_cast<UScriptCode>(u_getPropertyValueEnum(UCHAR_SCRIPT, script.c_str()));
    if (kind == "letters") {
      table.languages.emplace_back(code, Frequencies(line));
      continue;
    }
    LetterEncoding& encoding = table.encodings.emplace_back(LetterEncoding{.name = name, .script = code});
    line >> encoding.prior;
    for (std::string word; line >> word;) {
      (word == "any" ? encoding.takes_unknown_languages : encoding.is_of_old_system) = true;
    }
  }
  return table;
}

bool is_common_mark(UChar32 point) {
  static constexpr std::u32string_view kMarks = U"\u00A0«»“”‘’„–—…¿¡º°§·´£€\u00AD";
  return kMarks.find(static_cast<char32_t>(point)) != std::u32string_view::npos;
}

bool may_stand_in_word(UChar32 point) {
  static constexpr std::u32string_view kSigns = U"\u00A0’‘´·–—\u00AD";
  return kSigns.find(static_cast<char32_t>(point)) != std::u32string_view::npos;
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
  // Null frequencies: an unknown language of `script`.
  Hypothesis(const ByteStatistics& bytes, const ByteMeanings& meanings, const Frequencies* frequencies,
             UScriptCode script)
      : bytes_(bytes), meanings_(meanings), frequencies_(frequencies), script_(script) {
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

// Every pair of an encoding and a language that is written in it is a hypothesis. Its score is the log-likelihood of
// the bytes from 0x80 on: of letters by the language's frequencies, of marks by how common they are. Signs between
// letters, capitals after lower-case letters, unassigned bytes, and letters of another script lower it. A language
// without a list is a hypothesis for the encodings of Western Europe: its letters have their observed frequencies, with
// a penalty. The best score wins.
std::string guess_by_letters(std::string_view bytes) {
  static const LetterTable kTable = read_letter_table();
  const ByteStatistics statistics(bytes);
  std::string best;
  double best_score = -std::numeric_limits<double>::infinity();
  for (const LetterEncoding& encoding : kTable.encodings) {
    const ByteMeanings meanings(encoding.name);
    const auto consider = [&](double score) {
      score += encoding.prior;
      if (score <= best_score) return;
      best_score = score;
      best = encoding.name;
    };
    if (encoding.takes_unknown_languages) {
      const Hypothesis hypothesis(statistics, meanings, nullptr, encoding.script);
      const double old = encoding.is_of_old_system ? kOldSystem * static_cast<double>(hypothesis.letters()) : 0;
      consider(hypothesis.score() - old);
    }
    for (const auto& [script, frequencies] : kTable.languages) {
      if (script == encoding.script) consider(Hypothesis(statistics, meanings, &frequencies, script).score());
    }
  }
  return best;
}

}  // namespace

std::optional<std::string> encoding_by_mark(std::string_view bytes) {
  constexpr std::pair<std::string_view, const char*> kMarks[] = {{"\xEF\xBB\xBF"sv, "UTF-8"},
                                                                 {"\xFF\xFE\0\0"sv, "UTF-32"},
                                                                 {"\0\0\xFE\xFF"sv, "UTF-32"},
                                                                 {"\xFF\xFE"sv, "UTF-16"},
                                                                 {"\xFE\xFF"sv, "UTF-16"}};
  for (const auto& [mark, name] : kMarks) {
    if (bytes.starts_with(mark)) return name;
  }
  return std::nullopt;
}

std::optional<std::string> utf16_without_mark(std::string_view bytes) {
  if (bytes.size() % 2 != 0) return std::nullopt;
  bytes = bytes.substr(0, kBytesForMarks);
  const Blanks blanks = count_blanks(bytes);
  const std::size_t wanted = bytes.size() / 2 / kUnitsToABlank;
  if (blanks.little > wanted && blanks.big * 10 < blanks.little) return "UTF-16LE";
  if (blanks.big > wanted && blanks.little * 10 < blanks.big) return "UTF-16BE";
  return std::nullopt;
}

std::optional<EncodingGuess> guess_encoding(std::string_view bytes) {
  if (auto name = encoding_by_mark(bytes)) return EncodingGuess{std::move(*name), true};
  if (auto name = utf16_without_mark(bytes)) return EncodingGuess{std::move(*name), false};
  if (auto name = encoding_by_escapes(bytes)) return EncodingGuess{std::move(*name), false};
  if (!find_invalid_utf8(bytes)) return EncodingGuess{"UTF-8", true};
  if (is_damaged_utf8(bytes)) return std::nullopt;
  if (auto name = guess_east_asian(bytes)) return EncodingGuess{std::move(*name), false};
  return EncodingGuess{guess_by_letters(bytes), false};
}

}  // namespace bertprep
