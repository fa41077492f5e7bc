#include "unicode/properties/letter_kinds.h"

#include <unicode/uset.h>

#include <memory>
#include <string>

#include "bertprep/base/error.h"

namespace bertprep::unicode {
namespace {

constexpr std::size_t kAllCodePoints = 0x110000;

// ICU's set notation. After the characters of Unicode 14 come those added by Unicode 15 and 16.
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
constexpr const char16_t* kWhiteSpace = u"[:White_Space:]";

void require_done(UErrorCode status) {
  if (U_FAILURE(status)) throw Error(std::string("ICU: kinds of letters: ") + u_errorName(status));
}

struct CloseKindSet {
  void operator()(USet* set) const { uset_close(set); }
};

template <class Visit>
void for_each_in(const char16_t* pattern, const Visit& visit) {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<USet, CloseKindSet> set(uset_openPattern(pattern, -1, &status));
  require_done(status);
  const std::int32_t ranges = uset_getItemCount(set.get());
  for (std::int32_t i = 0; i < ranges; ++i) {
    UChar32 first = 0, last = 0;
    uset_getItem(set.get(), i, &first, &last, nullptr, 0, &status);
    require_done(status);
    for (auto c = static_cast<std::size_t>(first); c <= static_cast<std::size_t>(last); ++c) visit(c);
  }
}

}  // namespace

LetterKinds::LetterKinds() : bits_(kAllCodePoints / 4, 0) {
  const auto add = [this](const char16_t* pattern, LetterKind kind) {
    for_each_in(pattern, [&](std::size_t c) {
      bits_[c / 4] = static_cast<std::uint8_t>(bits_[c / 4] | static_cast<unsigned>(kind) << (c % 4 * 2));
    });
  };
  add(kLetters, LetterKind::kLetter);
  add(kNumbers, LetterKind::kNumber);
  add(kWhiteSpace, LetterKind::kSpace);
}

}  // namespace bertprep::unicode
