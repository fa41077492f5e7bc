// Any bytes as a JSON Lines file or an array: each record gives an article with text or a reason, never both. After the
// first line, lines are never an error.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "bertprep/base/error.h"
#include "source/formats/json_elements.h"
#include "source/formats/jsonl_source.h"
#include "source/input/deferred_work.h"
#include "support/stream_bytes.h"
#include "unicode/code_points.h"
#include "unicode/utf8_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  static const auto deferred = bertprep::make_deferred_jsonl({});
  static const auto worker = deferred->make_worker();
  bertprep::JsonlSource source({"x", std::make_unique<bertprep::test::BlockStream>(bytes, 100)}, {deferred, deferred});
  const bool is_array =
      bertprep::json_layout_of(bertprep::unicode::without_byte_order_mark(bytes)) == bertprep::JsonLayout::kArray;
  std::size_t records = 0;
  try {
    for (bertprep::SourceDocument document; source.read(document); ++records) {
      if (const auto rejection = worker->finish(document)) {
        if (rejection->reason.empty() || bertprep::find_invalid_utf8(rejection->reason)) std::abort();
      } else if (bertprep::strip(document.text).empty() || bertprep::find_invalid_utf8(document.text)) {
        std::abort();
      }
    }
  } catch (const bertprep::FormatError&) {
    if (records != 0 && !is_array) std::abort();
  }
  const auto lines = static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '\n')) + 1;
  if (records > lines && !is_array) std::abort();
  return 0;
}
