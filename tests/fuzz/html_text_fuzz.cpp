// Any UTF-8 as HTML: a text or a reason, never both, and again the same; the text is UTF-8 without blank ends.
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/fuzz_targets.h"
#include "source/html/html_text.h"
#include "unicode/utf8_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static bertprep::HtmlText reader;
  const std::string_view html(reinterpret_cast<const char*>(data), size);
  bertprep::html_marks_of(html);
  if (bertprep::find_invalid_utf8(html)) return 0;
  std::string text, again;
  const auto rejection = reader.read(html, text);
  require(reader.read(html, again) == rejection);
  if (rejection) return 0;
  require(text == again && !text.empty());
  require(!bertprep::find_invalid_utf8(text) && bertprep::strip(text) == text);
  return 0;
}
