// Any bytes as a file or stream of Arrow: rows with text or a reason, or refused.
#include <cstdint>

#include "fuzz/read_records.h"
#include "source/columns/arrow_stream.h"
#include "source/formats/column_source.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  bertprep::begins_as_arrow(bytes);
  static const bertprep::OpenText open = bertprep::arrow_reader({.text_field = "text,a.b,title"}, LimitedReading(1000));
  read_records(open, text_of(bytes, 64));
  return 0;
}
