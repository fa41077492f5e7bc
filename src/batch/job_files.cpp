#include "batch/job_files.h"

#include <array>
#include <ctime>
#include <set>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/input_file.h"
#include "io/json.h"
#include "io/pending_file.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRecord = ".job-files.json";
constexpr const char* kWritten = "written";

std::set<std::string> written_digests(const fs::path& record) {
  std::set<std::string> digests;
  if (!fs::exists(record)) return digests;
  const Json json = read_json(record);
  for (const Json& digest : json.at(kWritten).items()) digests.insert(digest.text());
  return digests;
}

void refuse_other(const fs::path& file, const std::string& text, const std::set<std::string>& written) {
  if (!fs::exists(fs::symlink_status(file))) return;
  if (!fs::is_regular_file(file)) throw FormatError("is not a file", file, "choose another folder with `jobs`");
  const std::string found = read_file(file);
  if (found == text || written.contains(sha256_of(found))) return;
  throw FormatError("exists, and is not as bertprep submit wrote it", file,
                    "move it away, or choose another folder with --jobs");
}

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

// Atomically, making folders as needed.
void write_job_file(const fs::path& file, const std::string& text) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) {
    throw IoError("can't be created (" + error.message() + ")", file.parent_path().string(),
                  "choose another folder with `jobs`");
  }
  publish_bytes(file, file.parent_path(), text);
}

}  // namespace

void write_job_files(const fs::path& folder, std::span<const JobFile> files) {
  std::set<std::string> written = written_digests(folder / kRecord);
  for (const JobFile& file : files) refuse_other(folder / file.name, file.text, written);
  for (const JobFile& file : files) written.insert(sha256_of(file.text));
  Json digests = Json::array();
  for (const std::string& digest : written) digests.push(Json::string(digest));
  // Before the files: each is listed even if the process is killed between them.
  write_job_file(folder / kRecord, Json::object().add(kWritten, std::move(digests)).dump());
  remove_abandoned_files(folder);
  for (const JobFile& file : files) write_job_file(folder / file.name, file.text);
}

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
