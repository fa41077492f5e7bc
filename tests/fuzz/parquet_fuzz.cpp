// Arbitrary bytes as the metadata of a Parquet file: a number of rows, or refused.
#include <cstdint>
#include <string_view>

#include "bertprep/base/error.h"
#include "quality/doctor/parquet_traps.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    bertprep::rows_of_parquet_metadata({reinterpret_cast<const char*>(data), size}, "x.parquet");
  } catch (const bertprep::FormatError&) {
    return 0;
  }
  return 0;
}
