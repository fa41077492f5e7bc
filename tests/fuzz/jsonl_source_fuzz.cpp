// Any bytes as a JSON Lines file or an array. After the first line, lines are never an error.
#include <algorithm>
#include <cstdint>

#include "fuzz/read_records.h"
#include "source/formats/jsonl_source.h"
#include "unicode/code_points.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  static const bertprep::OpenText open = bertprep::jsonl_reader({}, {});
  const bool is_array =
      bertprep::json_layout_of(bertprep::unicode::without_byte_order_mark(bytes)) == bertprep::JsonLayout::kArray;
  const ReadRecords records = read_records(open, text_of(bytes), size + 1);
  if (records.is_refused && records.count != 0 && !is_array) std::abort();
  const auto lines = static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '\n')) + 1;
  if (records.count > lines && !is_array) std::abort();
  return 0;
}
