#include "batch/submission_journal.h"

#include <array>
#include <ctime>

#include "batch/job_files.h"
#include "io/json.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

std::string now_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

Json entries_of(const fs::path& file) {
  if (!fs::exists(file)) return Json::array();
  Json json = read_json(file);
  json.at("submissions").items();
  return json.at("submissions");
}

}  // namespace

SubmissionJournal::SubmissionJournal(const fs::path& folder, const std::string& engine, std::int64_t tasks)
    : file_(folder / "submitted.json"),
      earlier_(entries_of(file_).dump_line()),
      engine_(engine),
      started_(now_utc()),
      tasks_(tasks) {}

void SubmissionJournal::add(const std::string& stage, const std::string& job) {
  jobs_.emplace_back(stage, job);
  Json jobs = Json::object();
  for (const auto& [name, id] : jobs_) jobs.add(name, Json::string(id));
  Json entry = Json::object();
  entry.add("engine", Json::string(engine_)).add("submitted", Json::string(started_));
  entry.add("tasks", Json::number(static_cast<std::uint64_t>(tasks_))).add("jobs", std::move(jobs));
  Json entries = Json::parse(earlier_, file_.string());
  entries.push(std::move(entry));
  write_job_file(file_, Json::object().add("submissions", std::move(entries)).dump());
}

}  // namespace bertprep
