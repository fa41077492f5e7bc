#include "unicode/properties/composition.h"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uniset.h>

#include <algorithm>

#include "bertprep/base/error.h"

namespace bertprep::unicode {
namespace {

void require_composed(UErrorCode status) {
  if (U_FAILURE(status)) throw Error(std::string("ICU: NFC: ") + u_errorName(status));
}

// Texts are split for ICU, which counts bytes in 32 bits.
constexpr std::size_t kMaxBytesAtOnce = std::size_t{1} << 30;

}  // namespace

struct Composition::Tables {
  Tables() : old_characters(icu::UnicodeString(u"[:age=9.0:]"), status), nfc(nfc_of(status), old_characters) {
    require_composed(status);
    old_characters.freeze();
  }

  static const icu::Normalizer2& nfc_of(UErrorCode& status) {
    const icu::Normalizer2* nfc = icu::Normalizer2::getNFCInstance(status);
    require_composed(status);
    return *nfc;
  }

  UErrorCode status = U_ZERO_ERROR;
  icu::UnicodeSet old_characters;
  icu::FilteredNormalizer2 nfc;
};

Composition::Composition() : tables_(std::make_unique<const Tables>()) {}
Composition::~Composition() = default;

bool Composition::is_plain(std::string_view text) {
  // U+0300 is CC 80.
  return std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0xCC; });
}

void Composition::compose(std::string_view text, std::string& composed) const {
  if (text.size() > kMaxBytesAtOnce) throw Error("a text of more than 1 GiB can't be normalized", {}, "cut it");
  composed.clear();
  icu::StringByteSink<std::string> sink(&composed, static_cast<std::int32_t>(text.size()));
  UErrorCode status = U_ZERO_ERROR;
  tables_->nfc.normalizeUTF8(0, icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())), sink, nullptr,
                             status);
  require_composed(status);
}

}  // namespace bertprep::unicode
