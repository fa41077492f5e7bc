#include "batch/submission.h"

#include <algorithm>
#include <ctime>
#include <iterator>
#include <set>
#include <sstream>

#include "io/digest.h"
#include "io/input_file.h"
#include "io/pending_file.h"
#include "io/state_folder.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> texts_in(const Json& json) {
  std::vector<std::string> list;
  for (const Json& text : json.items()) list.push_back(text.text());
  return list;
}

bool holds_any(const std::set<std::string>& words, std::initializer_list<const char*> wanted) {
  return std::any_of(wanted.begin(), wanted.end(), [&](const char* word) { return words.contains(word); });
}

// Other users may write the file: what looks like an option of the engine's program is not an id.
bool is_id(const std::string& text) {
  return !text.empty() && text.front() != '-' && std::all_of(text.begin(), text.end(), [](char c) {
    return is_ascii_alphanumeric(c) || c == '_' || c == '-' || c == '.' || c == ':' || c == '/';
  });
}

std::string joined(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& one : list) text += " " + one;
  return text;
}

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
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts))};
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

Json Submission::to_json() const {
  return Json::object()
      .add("format", Json::string("bertprep-submission"))
      .add("version", Json::number(1))
      .add("engine", Json::string(engine))
      .add("region", Json::string(region))
      .add("profile", Json::string(profile))
      .add("endpoint", Json::string(endpoint))
      .add("namespace", Json::string(kube_namespace))
      .add("time", Json::number(time_seconds))
      .add("tasks", Json::number(tasks))
      .add("work", Json::string(work.string()))
      .add("array", Json::string(array.string()))
      .add("job-files", Json::string(job_files.string()))
      .add("stages", json_list(stages))
      .add("jobs", json_list(jobs));
}

Submission Submission::from_json(const Json& json) {
  if (json.at("format").text() != "bertprep-submission") throw FormatError("is not a submission");
  const Json* kube_namespace = json.find("namespace");  // older files have none
  return {.engine = json.at("engine").text(),
          .region = json.at("region").text(),
          .profile = json.at("profile").text(),
          .endpoint = json.at("endpoint").text(),
          .kube_namespace = kube_namespace == nullptr ? "" : kube_namespace->text(),
          .time_seconds = json.at("time").as_unsigned(),
          .tasks = json.at("tasks").as_unsigned(),
          .work = json.at("work").text(),
          .array = json.at("array").text(),
          .job_files = json.at("job-files").text(),
          .stages = texts_in(json.at("stages")),
          .jobs = texts_in(json.at("jobs"))};
}

void Submission::write(const fs::path& root, const std::string& name) const {
  const fs::path state = state_beside(root / name);
  std::error_code error;
  fs::create_directories(state, error);
  if (error) throw IoError::from_errno("can't be created", state, error.value());
  publish_bytes(state / kFileName, state, to_json().dump());
}

std::optional<Submission> Submission::find(const fs::path& state) try {
  std::error_code error;
  if (!fs::exists(state / kFileName, error)) return std::nullopt;
  return from_json(read_json(state / kFileName));
} catch (const Error&) {
  return std::nullopt;
}

std::string Submission::words() const {
  const std::string name = engine == "slurm" ? "Slurm" : engine == "aws-batch" ? "AWS Batch" : "Kubernetes";
  return name + (jobs.size() == 1 ? " job" : " jobs") + joined(jobs);
}

void write_job_files(const fs::path& folder, std::span<const JobFile> files) {
  std::set<std::string> written = written_digests(folder / kRecord);
  for (const JobFile& file : files) refuse_other(folder / file.name, file.text, written);
  for (const JobFile& file : files) written.insert(sha256_of(file.text));
  // Before the files: each is listed even if the process is killed between them.
  const Json digests = json_list(std::vector<std::string>(written.begin(), written.end()));
  write_job_file(folder / kRecord, json_object({{kWritten, digests}}).dump());
  remove_abandoned_files(folder);
  for (const JobFile& file : files) write_job_file(folder / file.name, file.text);
}

SubmissionJournal::SubmissionJournal(const fs::path& folder, const std::string& engine, std::int64_t tasks)
    : file_(folder / "submitted.json"),
      entries_(entries_of(file_)),
      engine_(engine),
      started_(now_utc()),
      tasks_(tasks) {}

void SubmissionJournal::add(const std::string& stage, const std::string& job) {
  jobs_.emplace_back(stage, job);
  Json jobs = Json::object();
  for (const auto& [name, id] : jobs_) jobs.add(name, Json::string(id));
  Json entry = json_texts({{"engine", engine_}, {"submitted", started_}});
  entry.add("tasks", Json::number(static_cast<std::uint64_t>(tasks_))).add("jobs", std::move(jobs));
  write_job_file(file_, json_object({{"submissions", Json(entries_).push(std::move(entry))}}).dump());
}

std::vector<std::string> queue_command(const Submission& submission) {
  const std::vector<std::string>& jobs = submission.jobs;
  if (jobs.empty() || !std::all_of(jobs.begin(), jobs.end(), is_id)) return {};
  if (submission.engine == "slurm") {
    std::string ids;
    for (const std::string& job : jobs) ids += (ids.empty() ? "" : ",") + job;
    return {"squeue", "--noheader", "--format=%T %r", "--jobs=" + ids};
  }
  std::vector<std::string> command;
  std::vector<std::pair<const char*, std::string>> settings;
  if (submission.engine == "kubernetes") {
    command = {"kubectl", "get", "--ignore-not-found", "-o", "jsonpath={..status.active}"};
    settings = {{"--namespace", submission.kube_namespace}};
  } else if (submission.engine == "aws-batch") {
    command = {"aws", "batch", "describe-jobs", "--output", "text", "--query", "jobs[].status"};
    settings = {
        {"--region", submission.region}, {"--profile", submission.profile}, {"--endpoint-url", submission.endpoint}};
  } else {
    return {};
  }
  for (const auto& [flag, value] : settings) {
    if (value.empty()) continue;
    if (!is_id(value)) return {};
    command.insert(command.end(), {flag, value});
  }
  if (submission.engine == "aws-batch") command.push_back("--jobs");
  command.insert(command.end(), jobs.begin(), jobs.end());
  return command;
}

std::optional<QueueState> queue_state(const Submission& submission, int status, std::string_view out,
                                      std::string_view err) {
  // Slurm forgets jobs some minutes after their end, and then does not know a single one.
  if (status != 0 && err.find("Invalid job id") != err.npos) return QueueState::kGone;
  if (status != 0) return std::nullopt;
  // Pods that wait or run, of each job that has any.
  if (submission.engine == "kubernetes") {
    return out.find_first_of("123456789") == out.npos ? QueueState::kGone : QueueState::kRunning;
  }
  std::istringstream text{std::string(out)};
  const std::set<std::string> words(std::istream_iterator<std::string>(text), {});
  if (holds_any(words, {"RUNNING", "STARTING", "CONFIGURING", "COMPLETING", "STAGE_OUT", "STOPPED", "SUSPENDED"})) {
    return QueueState::kRunning;
  }
  if (submission.engine == "aws-batch") {
    return holds_any(words, {"SUBMITTED", "PENDING", "RUNNABLE"}) ? QueueState::kWaiting : QueueState::kGone;
  }
  // A job that waits for a failed one never starts.
  std::istringstream lines{std::string(out)};
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.find("DependencyNeverSatisfied") == line.npos) return QueueState::kWaiting;
  }
  return QueueState::kGone;
}

std::string cancel_command(const Submission& submission) {
  if (submission.engine == "slurm") return "scancel" + joined(submission.jobs);
  return submission.engine == "kubernetes" ? "kubectl delete" + joined(submission.jobs) : std::string();
}

}  // namespace bertprep
