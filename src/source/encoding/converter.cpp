#include "source/encoding/converter.h"

#include <unicode/ucnv.h>
#include <unicode/ustring.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>

#include "bertprep/base/error.h"
#include "unicode/code_points.h"

namespace bertprep {
namespace {

// HZ, Chinese text as 7-bit characters (RFC 1843), in EUC-CN (GB 2312), which converters support. ICU's own converter
// for HZ rejects "~}~{".
std::string euc_from_hz(std::string_view bytes) {
  std::string euc;
  euc.reserve(bytes.size());
  bool is_chinese = false;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::string_view two = bytes.substr(i, 2);
    if (two == "~{" || two == "~}" || two == "~\n") {
      is_chinese = two == "~{";
      ++i;
    } else if (!is_chinese && two == "~~") {
      euc += '~';
      ++i;
    } else {
      // A line feed ends Chinese mode.
      if (bytes[i] == '\n') is_chinese = false;
      euc += is_chinese && bytes[i] > ' ' ? static_cast<char>(bytes[i] | '\x80') : bytes[i];
    }
  }
  return euc;
}

constexpr std::size_t kUnitsAtOnce = std::size_t{1} << 14;
constexpr UChar32 kByteOrderMarkPoint = 0xFEFF;

// How many bytes ICU has consumed and dropped at a fault.
std::size_t invalid_bytes(const UConverter* converter) {
  std::array<char, 16> bytes{};
  auto count = static_cast<std::int8_t>(bytes.size());
  UErrorCode status = U_ZERO_ERROR;
  ucnv_getInvalidChars(converter, bytes.data(), &count, &status);
  return U_SUCCESS(status) && count > 0 ? static_cast<std::size_t>(count) : 0;
}

}  // namespace

struct Decoder::Converter {
  icu::LocalUConverterPointer handle;
  std::array<UChar, kUnitsAtOnce> units{};
  bool is_hz = false;
  UChar lead = 0;  // of a pair that is split between two rounds

  // False: an unpaired surrogate.
  bool append(std::size_t count, std::string& text) {
    for (std::size_t i = 0; i < count; ++i) {
      const UChar unit = units[i];
      if (lead != 0) {
        if (!U16_IS_TRAIL(unit)) return false;
        unicode::append_utf8(static_cast<char32_t>(U16_GET_SUPPLEMENTARY(lead, unit)), text);
        lead = 0;
      } else if (U16_IS_LEAD(unit)) {
        lead = unit;
      } else if (U16_IS_TRAIL(unit)) {
        return false;
      } else if (unit != kByteOrderMarkPoint || !text.empty()) {
        unicode::append_utf8(unit, text);
      }
    }
    return true;
  }
};

Decoder::Decoder(const std::string& encoding) : converter_(std::make_unique<Converter>()) {
  converter_->is_hz = ucnv_compareNames(encoding.c_str(), "HZ") == 0;
  UErrorCode status = U_ZERO_ERROR;
  converter_->handle.adoptInstead(ucnv_open(converter_->is_hz ? "GBK" : encoding.c_str(), &status));
  if (U_FAILURE(status)) {
    throw ConfigError("there is no encoding '" + encoding + "'", {},
                      "name one that ICU knows, such as utf-8, utf-16, windows-1252, latin-1, cp1251 or shift_jis");
  }
  ucnv_setToUCallBack(converter_->handle.getAlias(), UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &status);
  ucnv_setFallback(converter_->handle.getAlias(), true);
}

Decoder::~Decoder() = default;
Decoder::Decoder(Decoder&&) noexcept = default;

bool Decoder::is_utf8() const {
  UErrorCode status = U_ZERO_ERROR;
  return std::string_view("UTF-8") == ucnv_getName(converter_->handle.getAlias(), &status);
}

std::optional<DecodeFault> Decoder::decode(std::string_view bytes, std::string& text) {
  text.clear();
  std::string euc;
  if (converter_->is_hz) {
    euc = euc_from_hz(bytes);
    bytes = euc;
  }
  converter_->lead = 0;
  UConverter* converter = converter_->handle.getAlias();
  ucnv_resetToUnicode(converter);
  const char* source = bytes.data();
  const char* const end = source + bytes.size();
  for (UErrorCode status = U_BUFFER_OVERFLOW_ERROR; status == U_BUFFER_OVERFLOW_ERROR;) {
    status = U_ZERO_ERROR;
    UChar* target = converter_->units.data();
    ucnv_toUnicode(converter, &target, target + kUnitsAtOnce, &source, end, nullptr, true, &status);
    const auto count = static_cast<std::size_t>(target - converter_->units.data());
    const auto at = static_cast<std::size_t>(source - bytes.data());
    if (!converter_->append(count, text)) return DecodeFault{at, false};
    if (U_FAILURE(status) && status != U_BUFFER_OVERFLOW_ERROR) {
      return DecodeFault{at - std::min(at, invalid_bytes(converter)), status == U_TRUNCATED_CHAR_FOUND};
    }
  }
  if (converter_->lead == 0) return std::nullopt;
  return DecodeFault{bytes.size() - 2, true};
}

}  // namespace bertprep
