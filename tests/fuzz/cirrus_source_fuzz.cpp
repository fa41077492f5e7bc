// Any bytes as Wikimedia's search index.
#include <cstdint>

#include "fuzz/read_records.h"
#include "source/formats/cirrus_source.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  bertprep::begins_as_cirrus(bytes);
  static const bertprep::OpenText open = bertprep::cirrus_reader(LimitedReading(std::uint64_t{1} << 30));
  read_records(open, text_of(bytes));
  try {
    const auto source = open(text_of(bytes));
    for (bertprep::Document document; source->next(document);) {
      if (document.origin.page_id.empty()) std::abort();
    }
  } catch (const bertprep::FormatError&) {
  }
  return 0;
}
