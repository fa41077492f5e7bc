// What stages report, as bertprep.results has it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bertprep/pipeline/stages.h"
#include "bindings.h"
#include "served_call.h"

namespace bertprep::python {

py::object warning_object(const DataWarning& warning);
py::object stage_object(const StageReport& stage);
py::list notes_object(const ServedCall& call);
// One path or a list of them.
std::vector<std::filesystem::path> files_of(const py::object& paths, const std::string& name);

}  // namespace bertprep::python
