// Any markup gives clean text: nothing of clean_rules.h is broken, and the input's UTF-8 stays valid.
#include <cstdint>
#include <cstdlib>
#include <iostream>

#include "support/clean_rules.h"
#include "support/clean_text.h"
#include "unicode/utf8_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const bertprep::WikiOptions choice{.lists = (data[0] & 1) != 0, .headings = (data[0] & 2) != 0};
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (bertprep::find_invalid_utf8(text)) return 0;
  const auto result = bertprep::test::clean_page("Title", text, choice, (data[0] & 4) != 0 ? "it" : "en");
  const std::string broken = bertprep::test::broken_rule(text, result.lines);
  if (!broken.empty() || bertprep::find_invalid_utf8(result.lines)) {
    std::cerr << broken << '\n' << result.lines;
    std::abort();
  }
  return 0;
}
