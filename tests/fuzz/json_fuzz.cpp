// Any bytes: JSON is read or refused with FormatError, and is the same after a dump.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "bertprep/base/error.h"
#include "io/json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  bertprep::Json json;
  try {
    json = bertprep::Json::parse(bytes, "fuzz");
  } catch (const bertprep::FormatError&) {
    return 0;
  }
  const std::string line = json.dump_line();
  if (bertprep::Json::parse(line, "line").dump_line() != line) std::abort();
  if (bertprep::Json::parse(json.dump(), "dump").dump_line() != line) std::abort();
  return 0;
}
