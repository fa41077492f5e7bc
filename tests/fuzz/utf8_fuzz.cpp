// Arbitrary bytes: valid text decodes and encodes to itself; other text is valid up to the fault.
#include <cstdint>
#include <string_view>

#include "bertprep/text/sentences.h"
#include "fuzz/fuzz_targets.h"
#include "unicode/code_points.h"
#include "unicode/properties/properties.h"
#include "unicode/utf8_text.h"

namespace {

void check_valid(std::string_view text) {
  require(bertprep::unicode::encode(bertprep::unicode::decode(text)) == text);
  const std::string_view stripped = bertprep::strip(text);
  require(bertprep::strip(stripped) == stripped);
  require(bertprep::strip_end(text).ends_with(stripped));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto fault = bertprep::find_invalid_utf8(bytes);
  if (!fault) {
    check_valid(bytes);
    return 0;
  }
  require(*fault < size);
  require(!bertprep::find_invalid_utf8(bytes.substr(0, *fault)));
  check_valid(bytes.substr(0, *fault));
  require(bertprep::find_invalid_utf8(bytes.substr(*fault)) == 0);
  return 0;
}
