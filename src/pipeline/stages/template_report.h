// The file of --report: the templates that were rendered or dropped (docs/formats/clean-text.md).
#pragma once

#include "io/json.h"
#include "pipeline/records/output_place.h"
#include "wiki/clean/template_counts.h"

namespace bertprep {

// The report that the dumps among `parts` ask for; empty: none.
std::filesystem::path template_report_of(std::span<const CorpusPart> parts);

// Throws ConfigError if the report is an input, in an input folder, or one of the `results` or in one; FormatError if a
// file of its name exists that is not such a report, unless `replace`. Does nothing for an empty path.
void check_template_report(const std::filesystem::path& report, const InputGuard& inputs,
                           std::span<const std::filesystem::path> results, bool replace);

// Whether `file` exists and matches the counts of a completion record; also if no report is asked for.
bool is_recorded_report(const std::filesystem::path& file, const Json& record_counts);

// Writes the file atomically, unless its path is empty, and describes it in the counts of a completion record. Throws
// IoError.
void write_template_report(const std::filesystem::path& file, const TemplateCounts& templates, Json& record_counts);

// The counts as the report has them, and back. Throws FormatError.
Json json_of(const TemplateCounts& templates);
TemplateCounts template_counts_in(const Json& json);

}  // namespace bertprep
