// The file of `extract --report`: which templates were shown, and which were dropped (docs/formats/clean-text.md).
#pragma once

#include <filesystem>

#include "bertprep/pipeline/stages.h"
#include "io/json.h"
#include "wiki/clean/template_counts.h"

namespace bertprep {

// Throws ConfigError without --clean, when the report is an input, lies in an input folder or in the folder of the
// articles, and FormatError when a file has its name that is no such report, unless `replace`.
void check_template_report(const ExtractTask& task, bool replace);

// Whether `file` is there as the counts of a completion record describe it.
bool is_recorded_report(const std::filesystem::path& file, const Json& record_counts);

// Writes the file whole, and describes it in the counts of a completion record. Throws IoError.
void write_template_report(const std::filesystem::path& file, const TemplateCounts& templates, Json& record_counts);

}  // namespace bertprep
