#include "stage_results.h"

#include <array>

#include "base/number_text.h"
#include "bertprep/base/error.h"

namespace bertprep::python {

py::object warning_object(const DataWarning& warning) {
  return record("DataWarning", text_object(warning.about), text_object(warning.text));
}

py::object stage_object(const StageReport& stage) {
  const auto data = [](const DatasetReport& given) {
    return record("DatasetReport", path_object(given.folder), text_object(given.data),
                  list_object(given.warnings, warning_object));
  };
  return record("StageReport", text_object(stage.stage), stage.tasks_made, stage.tasks_found, stage.articles,
                stage.sentences, stage.tokens, stage.rows, stage.rejected, reasons_object(stage.rejected_by_reason),
                path_object(stage.rejects_file), stage.bytes_in, stage.bytes_out, stage.seconds, stage.peak_bytes,
                reasons_object(stage.left_out), list_object(stage.data, data));
}

py::list notes_object(const ServedCall& call) {
  return list_object(call.notes(), text_object);
}

std::span<const Field<AcceptanceOptions>> AcceptanceOptions::fields() {
  static const std::array<Field<AcceptanceOptions>, 2> kFields{{
      {.name = "max-rejects",
       .member = &AcceptanceOptions::max_rejects,
       .unit = "records",
       .help = "FormatError at the end if more records were rejected (default: no limit)",
       .min = 0},
      {.name = "strict-data",
       .member = &AcceptanceOptions::strict_data,
       .unit = "",
       .help = "FormatError at the end if a property of the data is out of its range"},
  }};
  return kFields;
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

std::vector<std::filesystem::path> files_of(const py::object& paths, const std::string& name) {
  std::vector<std::filesystem::path> files;
  for (const std::string& path : paths_of(paths, name)) files.emplace_back(path);
  return files;
}

}  // namespace bertprep::python
