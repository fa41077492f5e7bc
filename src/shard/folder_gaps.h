// What is missing in a folder of shards, compared with all records of what should be there: the manifest, which a run
// writes last; without one, in the hidden folder, the journal of the run, completion records and announcements of array
// jobs; and the numbers in the file names.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bertprep {

struct FolderGap {
  std::string file;  // a name inside the folder, or "x_training_3.hdf5 to x_training_5.hdf5"
  std::string text;  // what is wrong with it: "is missing: the names go up to x_training_7.hdf5"
};

// Sorted by file; empty if nothing is missing. A folder without such records has gaps only if numbers are missing:
// x_training_7.hdf5 without x_training_3.hdf5. Does not open shards. Throws IoError, and FormatError if the manifest
// can't be read; other unreadable records count as absent.
std::vector<FolderGap> find_gaps(const std::filesystem::path& folder);

}  // namespace bertprep
