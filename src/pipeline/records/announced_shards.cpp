#include "pipeline/records/announced_shards.h"

#include <algorithm>
#include <system_error>

#include "bertprep/base/error.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "shard/folder_gaps.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

std::string job_text(const fs::path& job) {
  return Json::object().add("job", Json::string(job.string())).dump();
}

void announce(const OutputFolder& folder, const std::string& bytes) {
  const std::string name = announcement_name(bytes);
  if (read_file_if_any(folder.state_folder() / name) != bytes) folder.publish_state(name, bytes);
}

std::vector<fs::path> announcement_files(const fs::path& state_folder) {
  std::vector<fs::path> files;
  for (const auto& entry : list_folder_if_any(state_folder)) {
    if (is_announcement(entry.path())) files.push_back(entry.path());
  }
  return files;
}

Announcement read_announcement(const fs::path& file) {
  const std::string bytes = read_file(file);
  if (announcement_name(bytes) != file.filename()) {
    throw FormatError("is damaged: its bytes differ from those that were written", file,
                      "run the command of the array's first stage again, which rewrites it");
  }
  const Json json = Json::parse(bytes, file.string());
  Announcement announcement{.file = file, .job = {}, .dataset = {}, .shards = {}};
  if (const Json* job = json.find("job")) {
    announcement.job = job->text();
  } else {
    announcement.dataset = json.at("dataset").text();
    for (const Json& shard : json.at("shards").items()) announcement.shards.push_back(shard.text());
  }
  return announcement;
}

}  // namespace

void announce_shards(const OutputFolder& folder, const std::string& dataset, const std::set<std::string>& files) {
  Json list = Json::array();
  for (const std::string& file : files) list.push(Json::string(file));
  announce(folder, Json::object().add("dataset", Json::string(dataset)).add("shards", std::move(list)).dump());
}

void announce_job(const OutputFolder& folder, const fs::path& job) {
  announce(folder, job_text(job));
}

bool is_announced(const OutputFolder& folder, const fs::path& job) {
  return fs::exists(folder.state_folder() / announcement_name(job_text(job)));
}

void withdraw_job(const OutputFolder& folder, const fs::path& job) {
  std::error_code ignored;
  fs::remove(folder.state_folder() / announcement_name(job_text(job)), ignored);
}

bool is_last_announcement(const OutputFolder& folder) {
  return announcement_files(folder.state_folder()).size() == 1;
}

std::vector<Announcement> announcements(const fs::path& state_folder) {
  std::vector<Announcement> list;
  for (const fs::path& file : announcement_files(state_folder)) list.push_back(read_announcement(file));
  return list;
}

void require_task(std::uint64_t task, std::uint64_t count) {
  if (task < count) return;
  throw ConfigError("there is no task " + std::to_string(task) + " of " + std::to_string(count), {},
                    "tasks are numbered from 0");
}

}  // namespace bertprep
