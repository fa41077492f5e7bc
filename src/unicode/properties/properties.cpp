#include "unicode/properties/properties.h"

#include <unicode/uchar.h>
#include <unicode/uniset.h>
#include <unicode/uscript.h>
#include <unicode/uversion.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "bertprep/base/error.h"

namespace bertprep::unicode {
namespace {

// Planes 4 to 13, 15 and 16 are unassigned or for private use, and so is what follows the variation selectors of plane
// 14: all of category C, like the code points of one slot behind the others.
constexpr char32_t kPlane4 = 0x40000;
constexpr char32_t kPlane14 = 0xE0000;
constexpr char32_t kInPlane14 = 0x200;
constexpr std::size_t kOtherSlot = kPlane4 + kInPlane14;

std::size_t slot_of(char32_t c) {
  if (c < kPlane4) return c;
  return c >= kPlane14 && c < kPlane14 + kInPlane14 ? kPlane4 + (c - kPlane14) : kOtherSlot;
}

// ICU's set notation; every set is limited to the characters of Unicode 14.
constexpr std::pair<PropertyTest, const char16_t*> kPatterns[] = {
    {is_punctuation, u"[:P:]"},
    {is_nonspacing_mark, u"[:Mn:]"},
    {is_decimal_digit, u"[:Nd:]"},
    {is_upper, u"[:Uppercase:]"},
    {is_lower, u"[:Lowercase:]"},
    {is_word_not_digit, u"[[:L:][:Nl:][:No:]]"},
    {changes_in_lower, u"[:Changes_When_Lowercased:]"},
    {decomposes, u"[:NFD_Quick_Check=No:]"},
    {has_combining_class, u"[:^ccc=0:]"},
};

// A mark that Unicode 16 counts as spacing.
constexpr char32_t kNonspacingUntil16 = 0x1171E;

// Modifier letters that Unicode 15 counts as Lowercase although they are older.
constexpr char32_t kLowercaseSince15[] = {0x10FC, 0xA7F2, 0xA7F3, 0xA7F4, 0xAB69};

// For LetterKinds. After the characters of Unicode 14 come those added by Unicode 15 and 16.
constexpr const char16_t* kLetters =
    u"[[[:L:]&[:age=14.0:]]"
    u"\\u1C89-\\u1C8A\\uA7CB-\\uA7CD\\uA7DA-\\uA7DC\\U000105C0-\\U000105F3\\U00010D4A-\\U00010D65"
    u"\\U00010D6F-\\U00010D85\\U00010EC2-\\U00010EC4\\U0001123F-\\U00011240\\U00011380-\\U00011389\\U0001138B"
    u"\\U0001138E\\U00011390-\\U000113B5\\U000113B7\\U000113D1\\U000113D3\\U00011BC0-\\U00011BE0\\U00011F02"
    u"\\U00011F04-\\U00011F10\\U00011F12-\\U00011F33\\U0001342F\\U00013441-\\U00013446\\U00013460-\\U000143FA"
    u"\\U00016100-\\U0001611D\\U00016D40-\\U00016D6C\\U00018CFF\\U0001B132\\U0001B155\\U0001DF25-\\U0001DF2A"
    u"\\U0001E030-\\U0001E06D\\U0001E4D0-\\U0001E4EB\\U0001E5D0-\\U0001E5ED\\U0001E5F0\\U0002B739"
    u"\\U0002EBF0-\\U0002EE5D\\U00031350-\\U000323AF]";
constexpr const char16_t* kNumbers =
    u"[[[:N:]&[:age=14.0:]]"
    u"\\U00010D40-\\U00010D49\\U000116D0-\\U000116E3\\U00011BF0-\\U00011BF9\\U00011F50-\\U00011F59"
    u"\\U00016130-\\U00016139\\U00016D70-\\U00016D79\\U0001CCF0-\\U0001CCF9\\U0001D2C0-\\U0001D2D3"
    u"\\U0001E4F0-\\U0001E4F9\\U0001E5F1-\\U0001E5FA]";

icu::UnicodeSet set_of(const char16_t* pattern) {
  UErrorCode status = U_ZERO_ERROR;
  icu::UnicodeSet set(icu::UnicodeString(pattern), status);
  require_icu(status, "make a property set");
  return set;
}

template <class Visit>
void for_each_of(const icu::UnicodeSet& set, const Visit& visit) {
  for (std::int32_t i = 0; i < set.getRangeCount(); ++i) {
    for (UChar32 c = set.getRangeStart(i); c <= set.getRangeEnd(i); ++c) visit(static_cast<char32_t>(c));
  }
}

class FlagTable {
 public:
  FlagTable() : flags_(kOtherSlot + 1, 0) {
    icu::UnicodeSet assigned = set_of(u"[[:age=14.0:]-[:Cn:]]");
    for (const auto& [test, pattern] : kPatterns) add(test, set_of(pattern).retainAll(assigned));
    // Characters that Unicode 14 does not assign are of category Cn, a control.
    add(is_control, set_of(u"[:C:]").addAll(assigned.complement()));
    flags_[kOtherSlot] = is_control.flag;
    add_ascii_punctuation();
    flags_['_'] |= is_word_not_digit.flag;
    flags_[kNonspacingUntil16] |= is_nonspacing_mark.flag;
    for (const char32_t c : kLowercaseSince15) flags_[c] &= static_cast<std::uint16_t>(~is_lower.flag);
  }

  bool has(char32_t c, std::uint16_t flag) const { return (flags_[slot_of(c)] & flag) != 0; }

  bool are_equal(char32_t first, char32_t last) const {
    const auto flags = std::span(flags_).subspan(slot_of(first), slot_of(last) - slot_of(first) + 1);
    return std::all_of(flags.begin(), flags.end(), [&](std::uint16_t other) { return other == flags.front(); });
  }

 private:
  void add(PropertyTest test, icu::UnicodeSet& set) {
    set.remove(kPlane4, kPlane14 - 1).remove(kPlane14 + kInPlane14, 0x10FFFF);
    for_each_of(set, [this, test](char32_t c) { flags_[slot_of(c)] |= test.flag; });
  }

  void add_ascii_punctuation() {
    for (const auto& [first, last] : {std::pair{33, 47}, {58, 64}, {91, 96}, {123, 126}}) {
      for (int c = first; c <= last; ++c) flags_[static_cast<std::size_t>(c)] |= is_punctuation.flag;
    }
  }

  std::vector<std::uint16_t> flags_;
};

const FlagTable& table() {
  static const FlagTable instance;
  return instance;
}

}  // namespace

bool PropertyTest::operator()(char32_t c) const {
  return table().has(c, flag);
}

bool are_alike(char32_t first, char32_t last) {
  return table().are_equal(first, last);
}

bool is_cjk(char32_t c) {
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x20000 && c <= 0x2A6DF) ||
         (c >= 0x2A700 && c <= 0x2B73F) || (c >= 0x2B740 && c <= 0x2B81F) || (c >= 0x2B820 && c <= 0x2CEAF) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x2F800 && c <= 0x2FA1F);
}

bool is_of_unicode_14(char32_t c) {
  UVersionInfo age;
  u_charAge(static_cast<UChar32>(c), age);
  return age[0] <= 14;
}

int decimal_digit(char32_t c) {
  if (c < 0x80) return c >= '0' && c <= '9' ? static_cast<int>(c - '0') : -1;
  if (u_charType(static_cast<UChar32>(c)) != U_DECIMAL_DIGIT_NUMBER || !is_of_unicode_14(c)) return -1;
  return u_charDigitValue(static_cast<UChar32>(c));
}

WordCharacters::WordCharacters() : bits_(kAllCodePoints / 64) {
  for_each_of(set_of(u"[[[:L:][:N:]_]&[:age=14.0:]]"),
              [this](char32_t c) { bits_[c / 64] |= std::uint64_t{1} << (c % 64); });
}

std::size_t WordCharacters::skip_word(std::string_view text, std::size_t from) const {
  while (from < text.size()) {
    const CodePoint c = code_point_at(text, from);
    if (!is_word(c.value)) break;
    from += c.bytes;
  }
  return from;
}

LetterKinds::LetterKinds() : bits_(kAllCodePoints / 4, 0) {
  const auto add = [this](const char16_t* pattern, LetterKind kind) {
    for_each_of(set_of(pattern), [&](char32_t c) {
      bits_[c / 4] = static_cast<std::uint8_t>(bits_[c / 4] | static_cast<unsigned>(kind) << (c % 4 * 2));
    });
  };
  add(kLetters, LetterKind::kLetter);
  add(kNumbers, LetterKind::kNumber);
  add(u"[:White_Space:]", LetterKind::kSpace);
}

static_assert(kCommonScript == USCRIPT_COMMON && kInheritedScript == USCRIPT_INHERITED);
static_assert(kCyrillicScript == USCRIPT_CYRILLIC && kGreekScript == USCRIPT_GREEK && kLatinScript == USCRIPT_LATIN);

bool is_letter_or_mark(char32_t c) {
  constexpr std::uint32_t kLettersAndMarks = U_GC_L_MASK | U_GC_M_MASK;
  return is_of_unicode_14(c) && (U_GET_GC_MASK(static_cast<UChar32>(c)) & kLettersAndMarks) != 0;
}

int script_of(char32_t c) {
  if (!is_letter_or_mark(c)) return kCommonScript;
  UErrorCode status = U_ZERO_ERROR;
  const int script = uscript_getScript(static_cast<UChar32>(c), &status);
  return U_FAILURE(status) || script < 0 || script >= kMaxScripts ? kCommonScript : script;
}

const char* name_of_script(int script) {
  return uscript_getName(static_cast<UScriptCode>(script));
}

void require_icu(int status, const char* what) {
  const auto code = static_cast<UErrorCode>(status);
  if (U_FAILURE(code)) throw Error(std::string("ICU can't ") + what + ": " + u_errorName(code));
}

LibraryVersion version_of_icu() {
  UVersionInfo version;
  u_getVersion(version);
  std::array<char, U_MAX_VERSION_STRING_LENGTH> running{};
  u_versionToString(version, running.data());
  return {"ICU", U_ICU_VERSION, running.data()};
}

}  // namespace bertprep::unicode
