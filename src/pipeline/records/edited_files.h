// Edited files: results that somebody has changed by hand since they were made.
//
// What is made again takes the place of what is there. A text that was written to after its record may hold somebody's
// work, so it is kept aside first, whatever else it may be.
#pragma once

#include <filesystem>
#include <string>

#include "bertprep/base/progress.h"
#include "pipeline/records/output_folder.h"

namespace bertprep {

// Renames each output of `task` that was edited to NAME.changed-1, or the next number that is free, and notes that. An
// output counts as edited when it is no older than the record, has other bytes, and is text to its end. Throws IoError.
void keep_edited(const OutputFolder& folder, const std::string& task, Progress& progress);

// Renames one file so, whatever its record says.
void keep_aside(const std::filesystem::path& file, Progress& progress);

// For folders that are read as a whole, where a copy would count as an input. Throws FormatError that names an edited
// output.
void refuse_edited(const OutputFolder& folder, const std::string& task);

}  // namespace bertprep
