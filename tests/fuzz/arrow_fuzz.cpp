// Any bytes as a file or stream of Arrow: rows with text or a reason, or refused.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "bertprep/base/error.h"
#include "source/formats/arrow_source.h"
#include "source/formats/column_record.h"
#include "support/memory_stream.h"
#include "unicode/utf8_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  bertprep::begins_as_arrow(bytes);
  bertprep::Rejects rejects(false, [](const auto&, const auto&, auto) {});
  const auto deferred = bertprep::make_deferred_columns({"text,a.b,title"});
  bertprep::ArrowSource source(
      {.name = "x", .bytes = std::make_unique<bertprep::test::MemoryStream>(bytes, 64)},
      {.text_field = "text,a.b,title", .deferred = deferred, .limit = bertprep::ArticleLimit(1000, rejects)});
  const auto worker = deferred->make_worker();
  try {
    std::size_t rows = 0;
    for (bertprep::SourceDocument document; rows < 10000 && source.read(document); ++rows) {
      if (const auto rejection = worker->finish(document)) {
        if (rejection->reason.empty() || bertprep::find_invalid_utf8(rejection->reason)) std::abort();
      } else if (bertprep::strip(document.text).empty() || bertprep::find_invalid_utf8(document.text)) {
        std::abort();
      }
    }
  } catch (const bertprep::FormatError&) {
  }
  return 0;
}
