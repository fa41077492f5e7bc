#include "batch/submission.h"

#include <algorithm>
#include <ctime>
#include <iterator>
#include <set>
#include <sstream>

#include "io/digest.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "io/pending_file.h"
#include "io/state_folder.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

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
  if (!fs::exists(record)) return {};
  const std::vector<std::string> digests = texts_in(read_json(record).at(kWritten));
  return {digests.begin(), digests.end()};
}

void refuse_other(const fs::path& file, const std::string& text, const std::set<std::string>& written) {
  if (!fs::exists(fs::symlink_status(file))) return;
  if (!fs::is_regular_file(file)) throw FormatError("is not a file", file, "choose another folder with `jobs`");
  const std::string found = read_file(file);
  if (found == text || written.contains(sha256_of(found))) return;
  throw FormatError("exists, and is not as bertprep submit wrote it", file,
                    "move it away, or choose another folder with --jobs");
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
  return Json::object({{"format", "bertprep-submission"},
                       {"version", 1U},
                       {"engine", engine},
                       {"region", region},
                       {"profile", profile},
                       {"endpoint", endpoint},
                       {"namespace", kube_namespace},
                       {"time", time_seconds},
                       {"tasks", tasks},
                       {"work", work.string()},
                       {"array", array.string()},
                       {"job-files", job_files.string()},
                       {"stages", Json::array_of(stages)},
                       {"jobs", Json::array_of(jobs)}});
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
  make_folders(state);
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
  const Json digests = Json::array_of(written);
  write_job_file(folder / kRecord, Json::object({{kWritten, digests}}).dump());
  remove_abandoned_files(folder);
  for (const JobFile& file : files) write_job_file(folder / file.name, file.text);
}

SubmissionJournal::SubmissionJournal(const fs::path& folder, const std::string& engine, std::int64_t tasks)
    : file_(folder / "submitted.json"),
      entries_(entries_of(file_)),
      engine_(engine),
      started_(utc_text(std::time(nullptr), "%Y-%m-%dT%H:%M:%SZ")),
      tasks_(tasks) {}

void SubmissionJournal::add(const std::string& stage, const std::string& job) {
  jobs_.emplace_back(stage, job);
  Json jobs = Json::object();
  for (const auto& [name, id] : jobs_) jobs.add(name, id);
  const Json entry = Json::object({{"engine", engine_},
                                   {"submitted", started_},
                                   {"tasks", static_cast<std::uint64_t>(tasks_)},
                                   {"jobs", std::move(jobs)}});
  write_job_file(file_, Json::object({{"submissions", Json(entries_).push(entry)}}).dump());
}

std::vector<std::string> queue_command(const Submission& submission) {
  const std::vector<std::string>& jobs = submission.jobs;
  if (jobs.empty() || !std::all_of(jobs.begin(), jobs.end(), is_id)) return {};
  if (submission.engine == "slurm") {
    return {"squeue", "--noheader", "--format=%T %r", "--jobs=" + bertprep::joined(jobs, ",")};
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
  for (const std::string_view line : split(out, '\n')) {
    if (!line.empty() && line.find("DependencyNeverSatisfied") == line.npos) return QueueState::kWaiting;
  }
  return QueueState::kGone;
}

std::string cancel_command(const Submission& submission) {
  if (submission.engine == "slurm") return "scancel" + joined(submission.jobs);
  return submission.engine == "kubernetes" ? "kubectl delete" + joined(submission.jobs) : std::string();
}

}  // namespace bertprep
