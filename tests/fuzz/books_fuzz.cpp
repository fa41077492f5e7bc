// Any bytes as a book, in a guessed encoding and in some given ones: a text that is valid UTF-8 and not blank, or a
// reason.
#include <cstdint>

#include "fuzz/read_records.h"
#include "source/books/books_source.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  for (const char* encoding : {"auto", "utf-8", "utf-16", "HZ", "shift_jis", "gb18030", "windows-1252"}) {
    for (const bool is_reference : {false, true}) {
      const auto open = bertprep::books_reader({.encoding = encoding, .books_compat = is_reference}, {});
      if (read_records(open, text_of(bytes, 1000)).count != 1) std::abort();
      bertprep::SourceDocument document;
      open(text_of(bytes, 1000))->read(document);
      const auto rejection = document.deferred->make_worker()->finish(document);
      if (rejection && rejection->record != bytes) std::abort();
    }
  }
  return 0;
}
