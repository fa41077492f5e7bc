// Valid UTF-8: the same ids as the plain twin, with and without lower case and accents. Other bytes are skipped.
#include <cstdint>
#include <cstdlib>

#include "twins/tokenizer.h"
#include "unicode/utf8_text.h"

namespace {

using namespace bertprep;

const Vocab& vocabulary() {
  static const Vocab vocab = [] {
    std::vector<std::string> pieces = {"hello", "world", "mask", "\u00e9", "\u03c3", "##\u03c3", "##\u03c2", "\u4e2d"};
    for (char c = '!'; c <= '~'; ++c) pieces.insert(pieces.end(), {std::string(1, c), "##" + std::string(1, c)});
    return test::make_vocab(pieces);
  }();
  return vocab;
}

void check(Tokenizer& tokenizer, const TokenizerOptions& options, std::string_view text) {
  const auto expected = test::plain_encode(vocabulary(), options, text);
  if (test::encode(tokenizer, text) != expected) std::abort();
  if (test::encode(tokenizer, text) != expected) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const TokenizerOptions kLower{.lower_case = true, .strip_accents = AccentStripping::kNo};
  static const TokenizerOptions kStripped{.lower_case = false, .strip_accents = AccentStripping::kYes};
  static Tokenizer uncased(vocabulary(), {.lower_case = true}), cased(vocabulary(), {.lower_case = false});
  static Tokenizer lower(vocabulary(), kLower), stripped(vocabulary(), kStripped);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (find_invalid_utf8(text)) return 0;
  check(uncased, {.lower_case = true}, text);
  check(cased, {.lower_case = false}, text);
  check(lower, kLower, text);
  check(stripped, kStripped, text);
  return 0;
}
