// FolderPromise: what the hidden folder beside a folder of shards says about it.
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
  // What it was made of, where the record counts them.
  std::optional<std::uint64_t> documents;
  std::optional<std::uint64_t> sentences;
  std::optional<std::uint64_t> tokens;
};

struct FolderPromise {
  // Of the run that is described: how many shards of each kind it makes, by "NAME_training", "NAME_test".
  std::map<std::string, std::uint64_t> planned;
  std::vector<std::string> announced;   // files that the tasks of an array make
  std::vector<RecordedShard> recorded;  // sorted by file
  bool has_array_job = false;           // that is not finished

  bool is_silent() const { return planned.empty() && announced.empty() && recorded.empty() && !has_array_job; }
};

// What can't be read, or is not as it was written, counts as absent.
FolderPromise promise_of(const std::filesystem::path& folder);

// The file in the hidden folder that announces what an array makes, by its bytes.
std::string announcement_name(const std::string& bytes);
bool is_announcement(const std::filesystem::path& file);

}  // namespace bertprep
