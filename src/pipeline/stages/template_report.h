// The file of `extract --report`: the templates that were rendered or dropped (docs/formats/clean-text.md).
#pragma once

#include <filesystem>

#include "bertprep/pipeline/stages.h"
#include "io/json.h"
#include "wiki/clean/template_counts.h"

namespace bertprep {

// Throws ConfigError without --clean, or if the report is an input, in an input folder or in the folder of the
// articles; FormatError if a file of its name exists that is not such a report, unless `replace`.
void check_template_report(const ExtractTask& task, bool replace);

// Whether `file` exists and matches the counts of a completion record.
bool is_recorded_report(const std::filesystem::path& file, const Json& record_counts);

// Writes the file atomically, and describes it in the counts of a completion record. Throws IoError.
void write_template_report(const std::filesystem::path& file, const TemplateCounts& templates, Json& record_counts);

}  // namespace bertprep
