#include "batch/submission.h"

#include <algorithm>
#include <set>
#include <utility>

#include "bertprep/base/error.h"
#include "io/pending_file.h"
#include "io/state_folder.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

Json texts(const std::vector<std::string>& list) {
  Json json = Json::array();
  for (const std::string& text : list) json.push(Json::string(text));
  return json;
}

std::vector<std::string> texts_in(const Json& json) {
  std::vector<std::string> list;
  for (const Json& text : json.items()) list.push_back(text.text());
  return list;
}

std::set<std::string_view> words_in(std::string_view text) {
  std::set<std::string_view> words;
  for (std::size_t at = text.find_first_not_of(" \t\n"); at < text.size(); at = text.find_first_not_of(" \t\n", at)) {
    const std::size_t end = std::min(text.find_first_of(" \t\n", at), text.size());
    words.insert(text.substr(at, end - at));
    at = end;
  }
  return words;
}

bool holds_any(const std::set<std::string_view>& words, std::initializer_list<std::string_view> wanted) {
  return std::any_of(wanted.begin(), wanted.end(), [&](std::string_view word) { return words.contains(word); });
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
      .add("stages", texts(stages))
      .add("jobs", texts(jobs));
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
  const std::set<std::string_view> words = words_in(out);
  if (holds_any(words, {"RUNNING", "STARTING", "CONFIGURING", "COMPLETING", "STAGE_OUT", "STOPPED", "SUSPENDED"})) {
    return QueueState::kRunning;
  }
  if (submission.engine == "aws-batch") {
    return holds_any(words, {"SUBMITTED", "PENDING", "RUNNABLE"}) ? QueueState::kWaiting : QueueState::kGone;
  }
  // A job that waits for a failed one never starts.
  std::size_t waiting = 0;
  for (std::size_t at = 0; at < out.size();) {
    const std::size_t end = std::min(out.find('\n', at), out.size());
    const std::string_view line = out.substr(at, end - at);
    if (!line.empty() && line.find("DependencyNeverSatisfied") == line.npos) ++waiting;
    at = end + 1;
  }
  return waiting == 0 ? QueueState::kGone : QueueState::kWaiting;
}

std::string cancel_command(const Submission& submission) {
  if (submission.engine == "slurm") return "scancel" + joined(submission.jobs);
  return submission.engine == "kubernetes" ? "kubectl delete" + joined(submission.jobs) : std::string();
}

}  // namespace bertprep
