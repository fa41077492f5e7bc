#include "text/unicode.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uset.h>
#include <unicode/uversion.h>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "bertprep/base/error.h"
#include "text/code_points.h"

namespace bertprep::unicode {
namespace {

constexpr std::size_t kCodePoints = 0x110000;

enum Flag : std::uint16_t {
  kSpace = 1 << 0,
  kControl = 1 << 1,
  kSeparatorSpace = 1 << 2,
  kPunctuation = 1 << 3,
  kNonspacingMark = 1 << 4,
  kDecimalDigit = 1 << 5,
  kUpper = 1 << 6,
  kLower = 1 << 7,
  kWordNotDigit = 1 << 8,
  kCased = 1 << 9,
  kCaseIgnorable = 1 << 10,
  kChangesInLower = 1 << 11,
  kDecomposes = 1 << 12,
  kCombines = 1 << 13,  // canonical combining class other than 0
};

struct FlagPattern {
  Flag flag;
  const char16_t* pattern;
};

// ICU's set notation; every set is cut to the characters of Unicode 14.
constexpr FlagPattern kPatterns[] = {
    {kSeparatorSpace, u"[:Zs:]"},
    {kPunctuation, u"[:P:]"},
    {kNonspacingMark, u"[:Mn:]"},
    {kDecimalDigit, u"[:Nd:]"},
    {kUpper, u"[:Uppercase:]"},
    {kLower, u"[:Lowercase:]"},
    {kWordNotDigit, u"[[:L:][:Nl:][:No:]]"},
    {kCased, u"[:Cased:]"},
    {kCaseIgnorable, u"[:Case_Ignorable:]"},
    {kChangesInLower, u"[:Changes_When_Lowercased:]"},
    {kDecomposes, u"[:NFD_Quick_Check=No:]"},
    {kCombines, u"[:^ccc=0:]"},
};

// Modifier letters that Unicode 15 counts as Lowercase though they are older.
constexpr char32_t kLowercaseSince15[] = {0x10FC, 0xA7F2, 0xA7F3, 0xA7F4, 0xAB69};

void require_success(UErrorCode status, const char* what) {
  if (U_FAILURE(status)) throw Error(std::string("ICU: ") + what + ": " + u_errorName(status));
}

struct CloseSet {
  void operator()(USet* set) const { uset_close(set); }
};
using Set = std::unique_ptr<USet, CloseSet>;

Set open_set(const char16_t* pattern) {
  UErrorCode status = U_ZERO_ERROR;
  Set set(uset_openPattern(pattern, -1, &status));
  require_success(status, "property set");
  return set;
}

class FlagTable {
 public:
  FlagTable() : flags_(kCodePoints, 0) {
    const Set assigned = open_set(u"[[:age=14.0:]-[:Cn:]]");
    for (const auto& [flag, pattern] : kPatterns) {
      const Set set = open_set(pattern);
      uset_retainAll(set.get(), assigned.get());
      add(flag, set.get());
    }
    // Whatever Unicode 14 does not assign is of category Cn, a control.
    const Set control = open_set(u"[:C:]");
    uset_complement(assigned.get());
    uset_addAll(control.get(), assigned.get());
    add(kControl, control.get());
    add_ascii_punctuation();
    add_spaces();
    flags_['_'] |= kWordNotDigit;
    for (const char32_t c : kLowercaseSince15) flags_[c] &= static_cast<std::uint16_t>(~kLower);
  }

  bool has(char32_t c, Flag flag) const { return (flags_[c] & flag) != 0; }

 private:
  void add(Flag flag, USet* set) {
    UErrorCode status = U_ZERO_ERROR;
    const std::int32_t ranges = uset_getItemCount(set);
    for (std::int32_t i = 0; i < ranges; ++i) {
      UChar32 first = 0, last = 0;
      uset_getItem(set, i, &first, &last, nullptr, 0, &status);
      require_success(status, "range of a property set");
      add_range(flag, static_cast<char32_t>(first), static_cast<char32_t>(last));
    }
  }

  void add_range(Flag flag, char32_t first, char32_t last) {
    for (char32_t c = first; c <= last; ++c) flags_[c] |= flag;
  }

  void add_ascii_punctuation() {
    for (const auto& [first, last] : {std::pair{33, 47}, {58, 64}, {91, 96}, {123, 126}}) {
      add_range(kPunctuation, static_cast<char32_t>(first), static_cast<char32_t>(last));
    }
  }

  // Separators, and the controls whose bidirectional class is WS, B or S.
  void add_spaces() {
    add_range(kSpace, 0x09, 0x0D);
    add_range(kSpace, 0x1C, 0x20);
    flags_[0x85] |= kSpace;
    const Set separators = open_set(u"[[:Z:]&[:age=14.0:]]");
    add(kSpace, separators.get());
  }

  std::vector<std::uint16_t> flags_;
};

const FlagTable& table() {
  static const FlagTable instance;
  return instance;
}

const UNormalizer2* nfd_normalizer() {
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2* normalizer = unorm2_getNFDInstance(&status);
  require_success(status, "NFD data");
  return normalizer;
}

void append_decomposition(const UNormalizer2* normalizer, char32_t c, std::u32string& out) {
  char16_t units[16];
  UErrorCode status = U_ZERO_ERROR;
  const std::int32_t length =
      unorm2_getDecomposition(normalizer, static_cast<UChar32>(c), units, std::size(units), &status);
  require_success(status, "decomposition");
  for (std::int32_t i = 0; i < length;) {
    UChar32 part = 0;
    U16_NEXT(units, i, length, part);
    out += static_cast<char32_t>(part);
  }
}

bool combines(char32_t c) {
  return table().has(c, kCombines);
}

// Stable sort by combining class of every run of characters that have one.
void order_canonically(std::u32string& text) {
  const auto by_class = [](char32_t a, char32_t b) {
    return u_getCombiningClass(static_cast<UChar32>(a)) < u_getCombiningClass(static_cast<UChar32>(b));
  };
  auto run = std::find_if(text.begin(), text.end(), combines);
  while (run != text.end()) {
    const auto run_end = std::find_if_not(run, text.end(), combines);
    std::stable_sort(run, run_end, by_class);
    run = std::find_if(run_end, text.end(), combines);
  }
}

// CPython's rule: a cased letter before and none after, case-ignorable characters skipped both ways. A
// character that is both counts as case-ignorable.
bool is_final_sigma(std::u32string_view text, std::size_t at) {
  const auto ignorable = [](char32_t c) { return table().has(c, kCaseIgnorable); };
  const auto cased = [](char32_t c) { return table().has(c, kCased); };
  const auto before = text.substr(0, at);
  const auto previous = std::find_if_not(before.rbegin(), before.rend(), ignorable);
  if (previous == before.rend() || !cased(*previous)) return false;
  const auto after = text.substr(at + 1);
  const auto next = std::find_if_not(after.begin(), after.end(), ignorable);
  return next == after.end() || !cased(*next);
}

constexpr char32_t kCapitalSigma = 0x3A3, kSigma = 0x3C3, kFinalSigma = 0x3C2;
constexpr char32_t kCapitalIWithDot = 0x130, kDotAbove = 0x307;

}  // namespace

bool is_space(char32_t c) {
  return table().has(c, kSpace);
}
bool is_control(char32_t c) {
  return table().has(c, kControl);
}
bool is_separator_space(char32_t c) {
  return table().has(c, kSeparatorSpace);
}
bool is_punctuation(char32_t c) {
  return table().has(c, kPunctuation);
}
bool is_nonspacing_mark(char32_t c) {
  return table().has(c, kNonspacingMark);
}
bool is_decimal_digit(char32_t c) {
  return table().has(c, kDecimalDigit);
}
bool is_upper(char32_t c) {
  return table().has(c, kUpper);
}
bool is_lower(char32_t c) {
  return table().has(c, kLower);
}
bool is_word_not_digit(char32_t c) {
  return table().has(c, kWordNotDigit);
}
bool changes_in_lower(char32_t c) {
  return table().has(c, kChangesInLower);
}
bool decomposes(char32_t c) {
  return table().has(c, kDecomposes);
}
bool has_combining_class(char32_t c) {
  return combines(c);
}

bool is_cjk(char32_t c) {
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x20000 && c <= 0x2A6DF) ||
         (c >= 0x2A700 && c <= 0x2B73F) || (c >= 0x2B740 && c <= 0x2B81F) || (c >= 0x2B820 && c <= 0x2CEAF) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x2F800 && c <= 0x2FA1F);
}

std::u32string lower(std::u32string_view text) {
  std::u32string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char32_t c = text[i];
    if (c == kCapitalSigma) {
      out += is_final_sigma(text, i) ? kFinalSigma : kSigma;
    } else if (c == kCapitalIWithDot) {
      out += {U'i', kDotAbove};
    } else {
      out += changes_in_lower(c) ? static_cast<char32_t>(u_tolower(static_cast<UChar32>(c))) : c;
    }
  }
  return out;
}

std::u32string nfd(std::u32string_view text) {
  const UNormalizer2* normalizer = nfd_normalizer();
  std::u32string out;
  out.reserve(text.size());
  for (const char32_t c : text) {
    if (decomposes(c)) {
      append_decomposition(normalizer, c, out);
    } else {
      out += c;
    }
  }
  order_canonically(out);
  return out;
}

std::u32string decode(std::string_view text) {
  std::u32string out;
  out.reserve(text.size());
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) out += next_code_point(at);
  return out;
}

void append_utf8(char32_t c, std::string& out) {
  const auto byte = [&out](char32_t value) { out += static_cast<char>(value); };
  if (c < 0x80) {
    byte(c);
    return;
  }
  if (c < 0x800) {
    byte(0xC0 | c >> 6);
  } else if (c < 0x10000) {
    byte(0xE0 | c >> 12);
    byte(0x80 | (c >> 6 & 0x3F));
  } else {
    byte(0xF0 | c >> 18);
    byte(0x80 | (c >> 12 & 0x3F));
    byte(0x80 | (c >> 6 & 0x3F));
  }
  byte(0x80 | (c & 0x3F));
}

std::string encode(std::u32string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char32_t c : text) append_utf8(c, out);
  return out;
}

LibraryVersion version_of_icu() {
  UVersionInfo version;
  u_getVersion(version);
  std::array<char, U_MAX_VERSION_STRING_LENGTH> running{};
  u_versionToString(version, running.data());
  return {"ICU", U_ICU_VERSION, running.data()};
}

}  // namespace bertprep::unicode
