// What stages report, as bertprep.results has it.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/fields.h"
#include "bertprep/pipeline/stages.h"
#include "bindings.h"
#include "served_call.h"

namespace bertprep::python {

py::object warning_object(const DataWarning& warning);
py::object stage_object(const StageReport& stage);
py::list notes_object(const ServedCall& call);
// What makes a finished call an error.
struct AcceptanceOptions {
  std::int64_t max_rejects = -1;  // no limit
  bool strict_data = false;

  static constexpr OptionGroup kGroup = OptionGroup::kOutput;
  static std::span<const Field<AcceptanceOptions>> fields();
};
// Throws FormatError for results that are not accepted.
void require_accepted(std::span<const StageReport> stages, const AcceptanceOptions& options);

// One path or a list of them.
std::vector<std::filesystem::path> files_of(const py::object& paths, const std::string& name);

}  // namespace bertprep::python
