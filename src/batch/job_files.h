// Writing the files of a chain of jobs into a folder that the user chose, where other files may be.
//
// `.job-files.json` in the folder lists the digests of all that was written there. What it doesn't list, the user wrote
// or edited; it stays.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "batch/job_chain.h"

namespace bertprep {

// Writes each file atomically, after checking all; makes the folder. Throws FormatError for a file that exists and was
// not written by this function, IoError.
void write_job_files(const std::filesystem::path& folder, std::span<const JobFile> files);

// Writes one file atomically, making folders as needed. Throws IoError.
void write_job_file(const std::filesystem::path& file, const std::string& text);

}  // namespace bertprep
