#include "results.h"

#include "bindings.h"
#include "records.h"

namespace bertprep::python {
namespace {

template <class... Results>
py::list descriptions() {
  py::list records;
  const auto add = [&](const Record& record) {
    py::list fields;
    for (const RecordField& field : record.fields) fields.append(py::make_tuple(field.name, field.content.type));
    records.append(py::make_tuple(record.type, record.about, fields));
  };
  (add(described(Results{})), ...);
  return records;
}

}  // namespace

py::object path_object(const std::filesystem::path& path) {
  const py::object name = py::module_::import("os").attr("fsdecode")(py::bytes(path.string()));
  return py::module_::import("pathlib").attr("Path")(name);
}

py::object object_of(const Record& record) {
  py::dict fields;
  for (const RecordField& field : record.fields) fields[field.name] = field.content.value;
  return py::module_::import("bertprep.results").attr(record.type)(**fields);
}

void bind_results(py::module_& module) {
  module.def("records", [] {
    return descriptions<ProgressEvent, DataWarning, DatasetReport, StageReport, Noted<BuildReport>, PlannedPhase,
                        ExpectedSpan, PlannedDisk, Noted<Plan>, SequenceCounts, Noted<SequenceReport>, VocabReport,
                        ReshardReport, VerifiedPath, Inspected, ExplainedSentence, ExplainedSegment, MaskIn,
                        ExplainedIn, ExplainedDocument, SequenceIn, RowsCompared::Difference, RowsCompared,
                        RecipeDifference, Comparison, TrapEffect, FindingAt, Diagnosis, SetReport>();
  });
}

}  // namespace bertprep::python
