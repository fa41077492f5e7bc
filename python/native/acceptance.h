// AcceptanceOptions: which results of stages are accepted.
#pragma once

#include <cstdint>
#include <span>

#include "base/fields.h"
#include "bertprep/pipeline/stages.h"

namespace bertprep::python {

// What makes a finished call an error.
struct AcceptanceOptions {
  std::int64_t max_rejects = -1;  // no limit
  bool strict_data = false;

  static FieldList<AcceptanceOptions> fields();
};
// Throws FormatError for results that are not accepted.
void require_accepted(std::span<const StageReport> stages, const AcceptanceOptions& options);

}  // namespace bertprep::python
