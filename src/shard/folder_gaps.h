// What is missing in a folder of shards, by all that says what should lie there: the manifest, which a run writes last;
// without one the journal of the run, completion records and what array jobs announce, in the hidden folder beside it;
// and the numbers in the names of the files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bertprep {

struct FolderGap {
  std::string file;  // a name inside the folder, or "x_training_3.hdf5 to x_training_5.hdf5"
  std::string text;  // what is wrong with it: "is missing: the names go up to x_training_7.hdf5"
};

// Sorted by file; empty when nothing is missing. A folder that nothing of ours speaks of has gaps only where numbers
// are left out: x_training_7.hdf5 without x_training_3.hdf5. Opens no shard. Throws IoError, and FormatError when the
// manifest can't be read; what else can't be read counts as absent.
std::vector<FolderGap> find_gaps(const std::filesystem::path& folder);

}  // namespace bertprep
