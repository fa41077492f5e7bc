// Any bytes as Wikimedia's search index: each page gives an article with text, a reason, or why it is left out.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "bertprep/base/error.h"
#include "source/formats/cirrus_source.h"
#include "support/stream_bytes.h"
#include "unicode/utf8_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  bertprep::begins_as_cirrus(bytes);
  static const auto deferred = bertprep::make_deferred_pages();
  static const auto worker = deferred->make_worker();
  bertprep::Rejects rejects(false, [](const auto&, const auto&, auto) {});
  bertprep::CirrusSource source({"x", std::make_unique<bertprep::test::BlockStream>(bytes, 100)}, deferred, rejects);
  try {
    for (bertprep::SourceDocument document; source.read(document);) {
      if (document.origin.page_id.empty()) std::abort();
      if (const auto rejection = worker->finish(document)) {
        if (rejection->reason.empty() || bertprep::find_invalid_utf8(rejection->reason)) std::abort();
      } else if (document.left_out.empty() == bertprep::strip(document.text).empty() ||
                 bertprep::find_invalid_utf8(document.text)) {
        std::abort();
      }
    }
  } catch (const bertprep::FormatError&) {
  }
  return 0;
}
