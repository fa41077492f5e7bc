#include "pipeline/status/status.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "io/folder.h"
#include "io/state_folder.h"
#include "pipeline/array/array_state.h"
#include "pipeline/records/run_description.h"
#include "pipeline/records/run_layout.h"
#include "pipeline/status/found_runs.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// Download folders of models don't belong to a run.
bool is_dataset_folder(const std::string& name) {
  return !name.starts_with(".") && name != "vocab" && name != "punkt";
}

// Of the dataset below `root`, if any.
std::optional<Submission> submission_of(const fs::path& root, const std::string& dataset) {
  return Submission::find(state_beside(root / dataset));
}

// Whether its array job has finished since.
bool is_over(const Submission& submission) {
  const auto finished = modified_at(array_layout(submission.array).finished);
  return finished && *finished >= submission.time_seconds;
}

fs::path work_of(const FoundRun& run, const std::optional<Submission>& submission, const fs::path& requested) {
  if (!requested.empty()) return requested;
  std::error_code error;
  if (run.report && fs::is_directory(run.report->work, error)) return run.report->work;
  if (submission && !is_over(*submission) && fs::is_directory(submission->work, error)) return submission->work;
  const auto recorded = std::ranges::find_if(
      run.phases, [](const FoundPhase& phase) { return phase.state && RunPlaces::find(*phase.state); });
  if (recorded == run.phases.end()) return default_work_folder(run.root);
  return find_work(run.root, *recorded->state, [&](const fs::path& work) { return has_text_of(run, work); });
}

// A report may be seconds old: while the process lives, partly done stages are running. Between stages, and before the
// first one, the first unfinished stage is running.
void show_as_running(std::vector<StageStatus>& stages) {
  bool running = false;
  for (StageStatus& stage : stages) {
    if (stage.state == StageState::kInterrupted) stage.state = StageState::kRunning;
    running = running || stage.state == StageState::kRunning;
  }
  for (StageStatus& stage : stages) {
    if (running) return;
    running = stage.state != StageState::kDone;
    if (running) stage.state = StageState::kRunning;
  }
}

// Stages that no process works on wait for their jobs, unless one failed since.
void show_as_waiting(std::vector<StageStatus>& stages) {
  for (StageStatus& stage : stages) {
    if (stage.state == StageState::kFailed || stage.state == StageState::kDamaged) return;
    if (stage.state == StageState::kNotStarted || stage.state == StageState::kInterrupted) {
      stage.state = StageState::kWaiting;
    }
  }
}

bool is_any(const std::vector<StageStatus>& stages, StageState state) {
  return std::any_of(stages.begin(), stages.end(), [&](const StageStatus& stage) { return stage.state == state; });
}

// A submission whose first job has made no plan yet.
DatasetStatus status_of_submission(const std::string& dataset, const Submission& submission) {
  DatasetStatus status{.name = dataset, .work = submission.work, .is_array = true};
  if (auto fetch = fetch_status(submission.work, dataset)) status.stages.push_back(std::move(*fetch));
  for (const std::string& stage : submission.stages) {
    if (stage == "fetch") {
      StageStatus plan = status_of_plan(submission);
      if (status.stages.empty()) {
        status.stages.push_back(std::move(plan));
      } else if (plan.state != StageState::kNotStarted) {
        status.stages.front() = std::move(plan);
      }
    } else {
      status.stages.push_back({.stage = stage});
    }
  }
  status.is_running = is_any(status.stages, StageState::kRunning);
  status.submission = submission;
  show_as_waiting(status.stages);
  return status;
}

bool are_done(const std::vector<StageStatus>& stages) {
  return std::ranges::all_of(stages, [](const StageStatus& stage) { return stage.state == StageState::kDone; });
}

DatasetStatus status_of_run(const FoundRun& run, const fs::path& asked_work) {
  auto submission = submission_of(run.root, run.dataset);
  DatasetStatus status{.name = run.dataset, .work = work_of(run, submission, asked_work)};
  for (const FoundPhase& phase : run.phases) status.shard_folders.push_back(phase.folder);
  const auto fetch = fetch_status(status.work, run.dataset);
  if (fetch) status.stages.push_back(*fetch);
  if (submission && !is_over(*submission)) status.submission = std::move(submission);
  if (const auto job = find_array(run, status.work)) {
    status.is_array = true;
    const std::uint64_t since = status.submission ? status.submission->time_seconds : 0;
    for (StageStatus& stage : stages_of_array(*job, since)) status.stages.push_back(std::move(stage));
    status.is_running = is_any(status.stages, StageState::kRunning);
    if (status.submission) show_as_waiting(status.stages);
    return status;
  }
  std::vector<StageStatus> stages = stages_of(run, status.work);
  // An unfinished download of this name is then another run's.
  if (fetch && fetch->state != StageState::kDone && are_done(stages)) status.stages.clear();
  std::ranges::move(stages, std::back_inserter(status.stages));
  if (run.report) status.error = run.report->error;
  if (run.report && run.report->is_alive()) {
    status.is_running = true;
    status.host = run.report->process.host;
    status.pid = run.report->process.pid;
    status.share = run.report->run;
    show_as_running(status.stages);
  }
  return status;
}

// Adds datasets whose jobs have made nothing yet.
void add_submissions(const fs::path& root, std::vector<DatasetStatus>& list) {
  for (const auto& entry : list_folder_if_any(root)) {
    const auto place = folder_of_state(entry.path());
    if (!place) continue;
    const std::string name = place->filename().string();
    const bool is_listed =
        std::any_of(list.begin(), list.end(), [&](const DatasetStatus& known) { return known.name == name; });
    if (is_listed) continue;
    const auto submission = submission_of(root, name);
    if (!submission || is_over(*submission)) continue;
    list.push_back(status_of_submission(name, *submission));
  }
}

// Adds downloaded datasets that no run has used yet: complete ones only if there is no run at all.
void add_downloads(const fs::path& work, std::vector<DatasetStatus>& list) {
  std::set<std::string> names;
  for (const auto& entry : list_folder_if_any(work / "download")) {
    std::error_code ignored;
    const std::string name = entry.path().filename().string();
    if (entry.is_directory(ignored) && is_dataset_folder(name)) names.insert(name);
  }
  for (const DatasetStatus& known : list) names.erase(known.name);
  const bool has_runs = !list.empty();
  for (const std::string& name : names) {
    DatasetStatus status{.name = name, .work = work};
    auto fetch = fetch_status(work, name);
    // Runs to other folders may use it.
    if (has_runs && fetch && fetch->state == StageState::kDone) continue;
    if (fetch) status.stages.push_back(std::move(*fetch));
    for (const char* stage : {"format", "shard", "instances", "manifest"}) status.stages.push_back({.stage = stage});
    status.is_running = status.stages.front().state == StageState::kRunning;
    list.push_back(std::move(status));
  }
}

}  // namespace

bool DatasetStatus::is_done() const {
  return are_done(stages);
}

DatasetState DatasetStatus::state() const {
  if (is_running) return DatasetState::kRunning;
  if (is_done()) return DatasetState::kDone;
  if (!error.empty() || is_any(stages, StageState::kFailed)) return DatasetState::kFailed;
  if (submission && is_any(stages, StageState::kWaiting)) return DatasetState::kWaiting;
  return is_any(stages, StageState::kDamaged) ? DatasetState::kDamaged : DatasetState::kInterrupted;
}

void DatasetStatus::heed(QueueState queue) {
  if (is_running || is_done()) return;
  if (queue == QueueState::kGone) {
    if (state() == DatasetState::kWaiting) {
      error = "its jobs are no longer in the queue: they were cancelled, or failed before they began";
      for (StageStatus& stage : stages) {
        if (stage.state != StageState::kWaiting) continue;
        stage.state = stage.fraction == 0 ? StageState::kNotStarted : StageState::kInterrupted;
      }
    }
    return;
  }
  // The engine may repeat a failed task.
  is_running = queue == QueueState::kRunning;
  for (StageStatus& stage : stages) {
    if (stage.state != StageState::kDone) stage.state = StageState::kWaiting;
  }
  for (StageStatus& stage : stages) {
    if (!is_running || stage.state == StageState::kDone) continue;
    stage.state = StageState::kRunning;
    break;
  }
}

std::vector<DatasetStatus> status_of(const fs::path& root, const fs::path& work) {
  std::vector<DatasetStatus> list = find_results(root);
  if (fs::is_regular_file(root)) return list;
  for (const FoundRun& run : find_runs(root)) list.push_back(status_of_run(run, work));
  add_submissions(root, list);
  add_downloads(work.empty() ? default_work_folder(root) : work, list);
  if (list.empty()) list_folder(root);  // says why it can't be read
  std::stable_sort(list.begin(), list.end(),
                   [](const DatasetStatus& left, const DatasetStatus& right) { return left.name < right.name; });
  return list;
}

}  // namespace bertprep
