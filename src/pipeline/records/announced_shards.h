// Announcements of the shards that an array's tasks will make in a folder: written by the first task, read after the
// last.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "pipeline/records/output_folder.h"

namespace bertprep {

// Announces that the array will make `files`, shards of `dataset`. Every task of the array announces the same.
void announce_shards(const OutputFolder& folder, const std::string& dataset, const std::set<std::string>& files);
// Announces that the folder belongs to the array job whose state is in `job`.
void announce_job(const OutputFolder& folder, const std::filesystem::path& job);
void withdraw_job(const OutputFolder& folder, const std::filesystem::path& job);
bool is_announced(const OutputFolder& folder, const std::filesystem::path& job);
// Whether only one announced job or array works on the folder.
bool is_last_announcement(const OutputFolder& folder);

struct Announcement {
  std::filesystem::path file;
  std::filesystem::path job;  // empty: an array of the instance stage only
  std::string dataset;
  std::vector<std::string> shards;  // files
};
// Of the folder with this state folder, ordered by file. Throws IoError, and FormatError for a damaged one.
std::vector<Announcement> announcements(const std::filesystem::path& state_folder);

// Throws ConfigError unless an array of `count` tasks has this one.
void require_task(std::uint64_t task, std::uint64_t count);

}  // namespace bertprep
