// What the tasks of an array will put into a folder of shards: said by the first of them, and read when all are done.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "pipeline/records/output_folder.h"

namespace bertprep {

// Says that the array will make `files`, shards of `dataset`. Every task of the array says the same.
void announce_shards(const OutputFolder& folder, const std::string& dataset, const std::set<std::string>& files);
// Says that the folder belongs to the array job whose state lies in `job`.
void announce_job(const OutputFolder& folder, const std::filesystem::path& job);
void withdraw_job(const OutputFolder& folder, const std::filesystem::path& job);
bool is_announced(const OutputFolder& folder, const std::filesystem::path& job);
// Whether nobody but the one announced job or array is at work on the folder.
bool is_last_announcement(const OutputFolder& folder);

struct Announcement {
  std::filesystem::path file;
  std::filesystem::path job;  // empty: an array of the instance stage alone
  std::string dataset;
  std::vector<std::string> shards;  // files
};
// Of the folder whose state folder this is, ordered by file. Throws IoError, and FormatError for a damaged one.
std::vector<Announcement> announcements(const std::filesystem::path& state_folder);

}  // namespace bertprep
