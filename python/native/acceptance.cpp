#include "acceptance.h"

#include "base/number_text.h"
#include "bertprep/base/error.h"

namespace bertprep::python {

FieldList<AcceptanceOptions> AcceptanceOptions::fields() {
  static const Field<AcceptanceOptions> kFields[] = {
      {.name = "max-rejects",
       .member = &AcceptanceOptions::max_rejects,
       .unit = "records",
       .help = "FormatError at the end if more records were rejected (default: no limit)",
       .min = 0},
      {.name = "strict-data",
       .member = &AcceptanceOptions::strict_data,
       .unit = "",
       .help = "FormatError at the end if a property of the data is out of its range"},
  };
  return {kFields, OptionGroup::kOutput};
}

void require_accepted(std::span<const StageReport> stages, const AcceptanceOptions& options) {
  for (const StageReport& stage : stages) {
    if (options.max_rejects >= 0 && stage.rejected > static_cast<std::uint64_t>(options.max_rejects)) {
      throw FormatError(counted(stage.rejected, "record", "was", "were") + " rejected (" +
                            stage.rejected_by_reason.text() + "), more than max_rejects",
                        stage.rejects_file.string());
    }
    for (const DatasetReport& report : stage.data) {
      if (!options.strict_data || report.warnings.empty()) continue;
      throw FormatError(report.warnings.front().text + ", and strict_data makes it an error", report.folder.string());
    }
  }
}

}  // namespace bertprep::python
