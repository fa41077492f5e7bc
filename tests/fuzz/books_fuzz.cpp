// Any bytes as a book, in a guessed encoding and in some given ones: a text that is valid UTF-8 and not blank, or a
// reason.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "source/books/books_source.h"
#include "source/input/deferred_work.h"
#include "unicode/utf8_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  for (const char* encoding : {"auto", "utf-8", "utf-16", "HZ", "shift_jis", "gb18030", "windows-1252"}) {
    for (const bool is_reference : {false, true}) {
      const auto worker = bertprep::make_deferred_books({encoding, is_reference, false})->make_worker();
      bertprep::SourceDocument document;
      document.text = bytes;
      document.origin.source = "x";
      if (const auto rejection = worker->finish(document)) {
        if (rejection->reason.empty() || rejection->record != bytes) std::abort();
      } else if (bertprep::strip(document.text).empty() || bertprep::find_invalid_utf8(document.text)) {
        std::abort();
      }
    }
  }
  return 0;
}
