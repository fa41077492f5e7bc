// Arbitrary bytes as the plan of an array job, with and without a valid seal: refused, or a plan that stays the same
// when written again, and whose options a run would accept.
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "bertprep/base/error.h"
#include "io/json.h"
#include "pipeline/array/array_plan.h"
#include "support/sealed_bytes.h"
#include "support/temp_folder.h"

namespace {

void check_plan(const std::string& bytes) {
  static const bertprep::test::TempFolder temp;
  const std::filesystem::path file = temp.write("plan.json", bytes);
  std::optional<bertprep::ArrayPlan> plan;
  try {
    plan = bertprep::load_plan(file);
  } catch (const bertprep::FormatError&) {
    return;
  }
  plan->run.options.validate_all();
  const std::string once = bertprep::seal(plan->to_json());
  temp.write("plan.json", once);
  if (bertprep::seal(bertprep::load_plan(file).to_json()) != once) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  check_plan(bytes);
  check_plan(bertprep::test::sealed_anew(bytes));
  return 0;
}
