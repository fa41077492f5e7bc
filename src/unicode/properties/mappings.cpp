#include "unicode/properties/mappings.h"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/uniset.h>
#include <unicode/ustring.h>
#include <unicode/utf16.h>

#include <algorithm>

#include "bertprep/base/error.h"
#include "unicode/ascii.h"
#include "unicode/code_points.h"
#include "unicode/properties/properties.h"

namespace bertprep::unicode {
namespace {

using CaseMapping = std::int32_t (*)(char16_t* to, std::int32_t capacity, const char16_t* from, std::int32_t length,
                                     const char* locale, UErrorCode* status);

std::u16string to_utf16(std::u32string_view text) {
  std::u16string units(text.size() * U16_MAX_LENGTH, u'\0');
  std::size_t size = 0;
  for (const char32_t c : text) U16_APPEND_UNSAFE(units, size, c);
  units.resize(size);
  return units;
}

void append_code_points(std::u16string_view units, std::u32string& out) {
  for (std::size_t i = 0; i < units.size();) {
    UChar32 c = 0;
    U16_NEXT(units, i, units.size(), c);
    out += static_cast<char32_t>(c);
  }
}

// Marks without case. Since Unicode 16 the first is a spacing one, which ends the context of a final sigma; the second
// is mapped in its place.
constexpr char32_t kAhomRa = 0x1171E;
constexpr char32_t kAhomLa = 0x1171D;

// Of each second mark in `mapped`, the mark that stands there in `text`.
void restore_marks(std::u32string_view text, std::size_t begin, std::u32string& mapped) {
  auto mark = text.begin();
  for (std::size_t at = begin; at < mapped.size(); ++at) {
    if (mapped[at] != kAhomLa) continue;
    mark = std::find_if(mark, text.end(), [](char32_t c) { return c == kAhomRa || c == kAhomLa; });
    mapped[at] = *mark++;
  }
}

// A character maps to at most three.
void append_mapped_run(std::u32string_view text, CaseMapping mapping, std::u32string& out) {
  if (text.empty()) return;
  std::u32string stand_in;
  if (text.find(kAhomRa) != text.npos) {
    stand_in = text;
    std::replace(stand_in.begin(), stand_in.end(), kAhomRa, kAhomLa);
  }
  const std::size_t begin = out.size();
  const std::u16string from = to_utf16(stand_in.empty() ? text : stand_in);
  std::u16string to(from.size() * 3, u'\0');
  UErrorCode status = U_ZERO_ERROR;
  const std::int32_t length = mapping(to.data(), static_cast<std::int32_t>(to.size()), from.data(),
                                      static_cast<std::int32_t>(from.size()), "", &status);
  require_icu(status, "map letter case");
  append_code_points(std::u16string_view(to).substr(0, static_cast<std::size_t>(length)), out);
  if (!stand_in.empty()) restore_marks(text, begin, out);
}

// Whether the character has this mapping in Unicode 14: some older letters got capitals later.
bool is_mapped(char32_t c, CaseMapping mapping) {
  if (!is_of_unicode_14(c)) return false;
  return mapping != u_strToUpper || is_of_unicode_14(static_cast<char32_t>(u_toupper(static_cast<UChar32>(c))));
}

// Characters newer than Unicode 14 count as unassigned: they have no case and end the context of a final sigma.
std::u32string mapped(std::u32string_view text, CaseMapping mapping) {
  std::u32string out;
  out.reserve(text.size());
  std::size_t run = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (is_mapped(text[at], mapping)) continue;
    append_mapped_run(text.substr(run, at - run), mapping, out);
    out += text[at];
    run = at + 1;
  }
  append_mapped_run(text.substr(run), mapping, out);
  return out;
}

void append_case(std::string_view text, char first, char change, CaseMapping mapping, std::string& out) {
  if (!is_ascii(text)) {
    out += encode(mapped(decode(text), mapping));
    return;
  }
  for (const char c : text) out += c >= first && c < first + 26 ? static_cast<char>(c + change) : c;
}

std::size_t first_bytes(std::string_view text) {
  return text.empty() ? 0 : code_point_at(text, 0).bytes;
}

// A normalization of the characters that one version of Unicode has: later ones neither change nor move.
struct Normalization {
  Normalization(const icu::Normalizer2* (*instance)(UErrorCode&), const char16_t* version, const char* what)
      : characters(icu::UnicodeString(version), status), normalizer(known(instance(status), what), characters) {
    require_icu(status, what);
    characters.freeze();
  }

  const icu::Normalizer2& known(const icu::Normalizer2* normalizer_of_all, const char* what) const {
    require_icu(status, what);
    return *normalizer_of_all;
  }

  UErrorCode status = U_ZERO_ERROR;
  icu::UnicodeSet characters;
  icu::FilteredNormalizer2 normalizer;
};

// Texts are split for ICU, which counts bytes in 32 bits.
constexpr std::size_t kMaxBytesAtOnce = std::size_t{1} << 30;

}  // namespace

std::u32string lower(std::u32string_view text) {
  if (std::none_of(text.begin(), text.end(), changes_in_lower)) return std::u32string(text);
  return mapped(text, u_strToLower);
}

char32_t lower(char32_t c) {
  if (c < 0x80) return static_cast<char32_t>(ascii_lower(static_cast<char>(c)));
  return is_of_unicode_14(c) ? static_cast<char32_t>(u_tolower(static_cast<UChar32>(c))) : c;
}

std::u32string nfd(std::u32string_view text) {
  static const Normalization kNfd(icu::Normalizer2::getNFDInstance, u"[:age=14.0:]", "load the data of NFD");
  const std::u16string units = to_utf16(text);
  UErrorCode status = U_ZERO_ERROR;
  icu::UnicodeString normal;
  kNfd.normalizer.normalize(icu::UnicodeString(false, units.data(), static_cast<std::int32_t>(units.size())), normal,
                            status);
  require_icu(status, "decompose");
  std::u32string out;
  out.reserve(text.size());
  append_code_points({normal.getBuffer(), static_cast<std::size_t>(normal.length())}, out);
  return out;
}

void append_lower(std::string_view text, std::string& out) {
  append_case(text, 'A', 'a' - 'A', u_strToLower, out);
}

void append_upper(std::string_view text, std::string& out) {
  append_case(text, 'a', 'A' - 'a', u_strToUpper, out);
}

void append_lower_first(std::string_view text, std::string& out) {
  const std::size_t first = first_bytes(text);
  append_lower(text.substr(0, first), out);
  out += text.substr(first);
}

void append_upper_first(std::string_view text, std::string& out) {
  const std::size_t first = first_bytes(text);
  append_upper(text.substr(0, first), out);
  out += text.substr(first);
}

struct Composition::Tables {
  Normalization nfc{icu::Normalizer2::getNFCInstance, u"[:age=9.0:]", "compose"};
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
  tables_->nfc.normalizer.normalizeUTF8(0, icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())), sink,
                                        nullptr, status);
  require_icu(status, "compose");
}

}  // namespace bertprep::unicode
