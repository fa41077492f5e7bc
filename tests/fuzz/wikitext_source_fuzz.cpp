// Any bytes as a WikiText file: articles are valid UTF-8 without line feeds and blank ends, and no byte of
// text is lost.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "bertprep/base/error.h"
#include "source/formats/text_source.h"
#include "support/stream_bytes.h"
#include "unicode/utf8_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const auto source =
      bertprep::wikitext_reader({}, {})({"x", std::make_unique<bertprep::test::BlockStream>(bytes, 100)});
  std::size_t text_bytes = 0;
  try {
    for (bertprep::Document document; source->next(document);) {
      const std::string& text = document.text;
      if (text.empty() || bertprep::strip(text) != text) std::abort();
      if (text.find('\n') != std::string::npos || bertprep::find_invalid_utf8(text)) std::abort();
      text_bytes += text.size();
    }
  } catch (const bertprep::FormatError&) {
    if (!bertprep::find_invalid_utf8(bytes)) std::abort();
    return 0;
  }
  const bool has_headings = bytes.find(" = ") != std::string::npos;
  const bool is_blank = bertprep::strip(bytes).empty();
  if (bertprep::find_invalid_utf8(bytes) || text_bytes > bytes.size()) std::abort();
  if (!has_headings && !is_blank && text_bytes == 0) std::abort();
  return 0;
}
