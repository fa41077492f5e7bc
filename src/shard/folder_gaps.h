// What a folder of shards should hold, and what is missing in it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/json.h"

namespace bertprep {

struct RecordedShard {
  std::string file;
  Json recipe;
  // Of the shard, if the record counts them.
  std::optional<std::uint64_t> documents;
  std::optional<std::uint64_t> sentences;
  std::optional<std::uint64_t> tokens;
};

// What the hidden folder says.
struct ExpectedContent {
  // How many shards of each kind the run makes, by "NAME_training", "NAME_test".
  std::map<std::string, std::uint64_t> planned;
  std::vector<std::string> announced;   // files that the tasks of an array job will make
  std::vector<RecordedShard> recorded;  // sorted by file
  bool has_array_job = false;           // an unfinished one

  bool is_silent() const { return planned.empty() && announced.empty() && recorded.empty() && !has_array_job; }
};

// Records that are unreadable or damaged count as absent.
ExpectedContent expected_content(const std::filesystem::path& folder);

// The name of an array job's announcement in the hidden folder, from its bytes.
std::string announcement_name(const std::string& bytes);
bool is_announcement(const std::filesystem::path& file);

// What is missing, compared with all records of what should be there: the manifest, which a run writes last; without
// one, in the hidden folder, the journal of the run, completion records and announcements of array jobs; and the
// numbers in the file names.
struct FolderGap {
  std::string file;  // a name inside the folder, or "x_training_3.hdf5 to x_training_5.hdf5"
  std::string text;  // what is wrong with it: "is missing: the names go up to x_training_7.hdf5"
};

// Sorted by file; empty if nothing is missing. A folder without such records has gaps only if numbers are missing:
// x_training_7.hdf5 without x_training_3.hdf5. Does not open shards. Throws IoError, and FormatError if the manifest
// can't be read; other unreadable records count as absent.
std::vector<FolderGap> find_gaps(const std::filesystem::path& folder);

}  // namespace bertprep
