// Arbitrary bytes as the report of an attempt at a task of an array: ignored, or a report that stays the same when
// written again.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "pipeline/array/array_state.h"
#include "support/temp_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bertprep::test::TempFolder temp;
  temp.write("attempt.json", std::string(reinterpret_cast<const char*>(data), size));
  const auto reports = bertprep::read_attempts(temp.path());
  if (reports.empty()) return 0;
  const std::string once = reports.front().to_json().dump();
  temp.write("attempt.json", once);
  const auto again = bertprep::read_attempts(temp.path());
  if (again.size() != 1 || again.front().to_json().dump() != once) std::abort();
  return 0;
}
