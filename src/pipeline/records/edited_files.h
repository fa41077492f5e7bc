// Edited files: results changed by hand since they were made.
//
// A remade result replaces the existing one. Text written after its record may contain a user's work, so it is first
// kept under another name.
#pragma once

#include <filesystem>
#include <string>

#include "bertprep/base/progress.h"
#include "pipeline/records/output_folder.h"

namespace bertprep {

// Renames each output of `task` that was edited to NAME.changed-1, or the next free number, and notes that. An output
// counts as edited if it is no older than the record, has other bytes, and is text to its end. Throws IoError.
void keep_edited(const OutputFolder& folder, const std::string& task, Progress& progress);

// Renames one file likewise, whatever its record says.
void keep_aside(const std::filesystem::path& file, Progress& progress);

// For folders that are read as a whole, where a copy would count as an input. Throws FormatError naming an edited
// output.
void refuse_edited(const OutputFolder& folder, const std::string& task);

}  // namespace bertprep
