// Arbitrary bytes as a list of tasks: refused with its line, or tasks that stay the same when written again.
#include <cstdint>
#include <string>
#include <string_view>

#include "batch/index_list.h"
#include "bertprep/base/error.h"
#include "fuzz/fuzz_targets.h"

namespace {

constexpr std::uint64_t kTasks = 100;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const auto tasks = bertprep::parse_index_list(text, "list", kTasks);
    for (const std::uint64_t task : tasks) require(task < kTasks);
    const std::string again = bertprep::index_list_text(tasks, "aws-batch");
    require(bertprep::parse_index_list(again, "list", kTasks) == tasks);
  } catch (const bertprep::FormatError& error) {
    require(std::string(error.where()).starts_with("list:"));
  }
  return 0;
}
