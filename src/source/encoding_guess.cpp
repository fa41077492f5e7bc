#include "source/encoding_guess.h"

#include <cstddef>

#include "io/utf8.h"
#include "source/encoding_east_asian.h"
#include "source/encoding_letters.h"
#include "source/encoding_marks.h"

namespace bertprep {
namespace {

constexpr std::size_t kSoundToAFault = 10;
constexpr std::size_t kMostBytesOfCharacter = 4;
constexpr std::size_t kMostFaultsLookedAt = 1000;

// Whether characters of several bytes in sound UTF-8 outnumber the faults by far.
bool is_damaged_utf8(std::string_view bytes) {
  std::size_t faults = 0;
  std::size_t sound = 0;
  while (faults < kMostFaultsLookedAt) {
    const auto fault = find_invalid_utf8(bytes);
    const std::string_view part = bytes.substr(0, fault.value_or(bytes.size()));
    for (const char c : part) sound += static_cast<unsigned char>(c) >= 0xC0 ? 1 : 0;
    if (!fault) break;
    // The beginning of a character at the end of the bytes is no fault of the others.
    if (bytes.size() - *fault >= kMostBytesOfCharacter) ++faults;
    bytes.remove_prefix(*fault + 1);
  }
  return sound > 0 && sound >= kSoundToAFault * faults;
}

}  // namespace

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
