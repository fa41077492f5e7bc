// Any bytes as a JSON Lines file: each line that is not blank gives an article with text or a reason, never
// both.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "bertprep/io/strip.h"
#include "bertprep/io/utf8.h"
#include "source/jsonl_source.h"
#include "source/rejects.h"
#include "support/temp_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  static const bertprep::test::TempFolder folder;
  const auto path = folder.write("fuzz.jsonl", bytes);
  std::size_t records = 0;
  bertprep::Rejects rejects(false, [&](const std::string&, const std::string& reason, std::string_view) {
    ++records;
    if (reason.empty() || bertprep::find_invalid_utf8(reason)) std::abort();
  });
  bertprep::JsonlSource source(path, "text", rejects);
  for (bertprep::Document document; source.next(document); ++records) {
    if (bertprep::strip(document.text).empty() || bertprep::find_invalid_utf8(document.text)) std::abort();
  }
  const auto lines = static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '\n')) + 1;
  if (records > lines) std::abort();
  return 0;
}
