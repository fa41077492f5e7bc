// ExpectedContent: what the hidden folder says about a folder of shards.
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

}  // namespace bertprep
