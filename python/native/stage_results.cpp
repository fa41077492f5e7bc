#include "stage_results.h"

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

std::vector<std::filesystem::path> files_of(const py::object& paths, const std::string& name) {
  std::vector<std::filesystem::path> files;
  for (const std::string& path : paths_of(paths, name)) files.emplace_back(path);
  return files;
}

}  // namespace bertprep::python
