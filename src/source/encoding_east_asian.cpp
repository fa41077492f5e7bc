#include "source/encoding_east_asian.h"

#include <unicode/ucsdet.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>

#include "source/encoding.h"

namespace bertprep {
namespace {

constexpr std::size_t kLookedAtBytes = std::size_t{1} << 18;
constexpr double kEastAsianShare = 0.9;
// Nearly all letters of such a text are East Asian; Latin ones come in names.
constexpr double kMostLatinToEastAsian = 2.0;

struct CloseDetector {
  void operator()(UCharsetDetector* detector) const { ucsdet_close(detector); }
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
  if (fault && !fault->is_cut) return false;
  const Shares shares = shares_of(text);
  const auto east_asian = static_cast<double>(shares.east_asian);
  return east_asian >= kEastAsianShare * static_cast<double>(shares.east_asian + shares.others) &&
         static_cast<double>(shares.latin) <= kMostLatinToEastAsian * east_asian;
}

// What the detector names, and the converter that takes all that Windows writes under this name.
struct Candidate {
  std::string_view detected;
  const char* encoding;
};

constexpr std::array<Candidate, 5> kCandidates = {{{"Shift_JIS", "Shift_JIS"},
                                                   {"EUC-JP", "EUC-JP"},
                                                   {"EUC-KR", "windows-949"},
                                                   {"Big5", "windows-950"},
                                                   {"GB18030", "GB18030"}}};

}  // namespace

std::optional<std::string> guess_east_asian(std::string_view bytes) {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UCharsetDetector, CloseDetector> detector(ucsdet_open(&status));
  if (U_FAILURE(status)) return std::nullopt;
  const std::string_view sample = bytes.substr(0, kLookedAtBytes);
  ucsdet_setText(detector.get(), sample.data(), static_cast<std::int32_t>(sample.size()), &status);
  std::int32_t count = 0;
  const UCharsetMatch** matches = ucsdet_detectAll(detector.get(), &count, &status);
  if (U_FAILURE(status)) return std::nullopt;
  for (const UCharsetMatch* match : std::span(matches, static_cast<std::size_t>(count))) {
    const std::string_view name = ucsdet_getName(match, &status);
    for (const Candidate& candidate : kCandidates) {
      if (candidate.detected == name && gives_east_asian_text(bytes, candidate.encoding)) return candidate.encoding;
    }
  }
  return std::nullopt;
}

}  // namespace bertprep
