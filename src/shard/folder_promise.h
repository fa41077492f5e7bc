// FolderPromise: what the hidden folder beside a folder of shards says about it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "io/json.h"

namespace bertprep {

struct RecordedShard {
  std::string file;
  Json recipe;
};

struct FolderPromise {
  // Of the run that is described: how many shards of each kind it makes, by "NAME_training", "NAME_test".
  std::map<std::string, std::uint64_t> planned;
  std::vector<std::string> announced;   // files that the tasks of an array make
  std::vector<RecordedShard> recorded;  // sorted by file
  bool has_array_job = false;           // that is not finished

  bool is_silent() const { return planned.empty() && announced.empty() && recorded.empty() && !has_array_job; }
};

// What can't be read counts as absent.
FolderPromise promise_of(const std::filesystem::path& folder);

}  // namespace bertprep
