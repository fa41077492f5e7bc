#include "source/encoding/guess.h"

#include <unicode/ucsdet.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "io/loaded_library.h"
#include "source/encoding/converter.h"
#include "source/encoding/letters.h"
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

const DetectorLibrary& icu_detector() {
  static const DetectorLibrary functions;
  return functions;
}

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
      shares.latin += (point >= 'a' && point <= 'z') || (point >= 'A' && point <= 'Z') ? 1 : 0;
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

constexpr std::array<Candidate, 5> kCandidates = {{{"Shift_JIS", "Shift_JIS"},
                                                   {"EUC-JP", "EUC-JP"},
                                                   {"EUC-KR", "windows-949"},
                                                   {"Big5", "windows-950"},
                                                   {"GB18030", "GB18030"}}};

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

}  // namespace

std::optional<std::string> encoding_by_mark(std::string_view bytes) {
  constexpr std::array<std::pair<std::string_view, const char*>, 5> kMarks = {{{"\xEF\xBB\xBF"sv, "UTF-8"},
                                                                               {"\xFF\xFE\0\0"sv, "UTF-32"},
                                                                               {"\0\0\xFE\xFF"sv, "UTF-32"},
                                                                               {"\xFF\xFE"sv, "UTF-16"},
                                                                               {"\xFE\xFF"sv, "UTF-16"}}};
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

std::optional<std::string> encoding_by_escapes(std::string_view bytes) {
  constexpr std::array<std::pair<std::string_view, const char*>, 5> kEscapes = {{{"\x1B$)C"sv, "ISO-2022-KR"},
                                                                                 {"\x1B$)A"sv, "ISO-2022-CN"},
                                                                                 {"\x1B$)G"sv, "ISO-2022-CN"},
                                                                                 {"\x1B$B"sv, "ISO-2022-JP"},
                                                                                 {"\x1B$@"sv, "ISO-2022-JP"}}};
  const bool has_escape = bytes.find('\x1B') != std::string_view::npos;
  if ((!has_escape && bytes.find("~{") == std::string_view::npos) || !is_ascii(bytes)) return std::nullopt;
  for (const auto& [escape, name] : kEscapes) {
    if (bytes.find(escape) != std::string_view::npos) return name;
  }
  return has_hz_escapes(bytes) ? std::optional<std::string>("HZ") : std::nullopt;
}

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
