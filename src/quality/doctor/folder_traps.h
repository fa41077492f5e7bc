// Traps of a folder: names, numbers of files and of rows, not the content of rows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "quality/doctor/findings.h"
#include "quality/trainer_files.h"

namespace bertprep {

struct CountedFile {
  SetFile file;
  std::uint64_t rows = 0;
  std::uint64_t digest = 0;  // of all rows, in order
  bool is_readable = true;   // all of it could be read
};

struct FolderLimits {
  std::uint64_t ranks = 0;        // processes that train; 0: unknown
  std::uint64_t micro_batch = 0;  // rows that a process computes at once; 0: unknown
  bool is_for_bert = true;        // rows for trainers that look for 'training' in the names
  std::size_t tokens = 0;         // of a row; 0: unknown
  std::size_t predictions = 0;
};

void find_name_traps(const SetFolder& set, const FolderLimits& limits, Findings& findings);
void find_count_traps(const std::vector<CountedFile>& files, const FolderLimits& limits, Findings& findings);
// Files expected by the manifest, or by the run that fills the folder, that are missing. Throws IoError.
void find_missing_files(const std::filesystem::path& folder, Findings& findings);
// Whether the scripts of Habana would look for another folder.
void find_folder_name_trap(const std::filesystem::path& folder, const FolderLimits& limits, Findings& findings);

}  // namespace bertprep
