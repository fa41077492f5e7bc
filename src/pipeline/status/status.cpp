#include "pipeline/status/status.h"

#include <algorithm>
#include <set>

#include "io/folder.h"
#include "pipeline/records/run_layout.h"
#include "pipeline/status/found_runs.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// Download folders of models don't belong to a run.
bool is_dataset_folder(const std::string& name) {
  return !name.starts_with(".") && name != "vocab" && name != "punkt";
}

fs::path work_of(const FoundRun& run, const fs::path& requested) {
  if (!requested.empty()) return requested;
  std::error_code error;
  if (run.report && fs::is_directory(run.report->work, error)) return run.report->work;
  return default_work_folder(run.root);
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

DatasetStatus status_of_run(const FoundRun& run, const fs::path& asked_work) {
  DatasetStatus status{.name = run.dataset, .work = work_of(run, asked_work)};
  for (const FoundPhase& phase : run.phases) status.shard_folders.push_back(phase.folder);
  if (auto fetch = fetch_status(status.work, run.dataset)) status.stages.push_back(std::move(*fetch));
  if (const auto job = find_array(run, status.work)) {
    status.is_array = true;
    for (StageStatus& stage : stages_of_array(*job)) status.stages.push_back(std::move(stage));
    status.is_running = std::any_of(status.stages.begin(), status.stages.end(),
                                    [](const StageStatus& stage) { return stage.state == StageState::kRunning; });
    return status;
  }
  for (StageStatus& stage : stages_of(run, status.work)) status.stages.push_back(std::move(stage));
  if (run.report && run.report->is_alive()) {
    status.is_running = true;
    status.host = run.report->process.host;
    status.pid = run.report->process.pid;
    status.share = run.report->run;
    show_as_running(status.stages);
  }
  return status;
}

// Adds downloaded datasets that no run has used yet.
void add_downloads(const fs::path& work, std::vector<DatasetStatus>& list) {
  std::set<std::string> names;
  for (const auto& entry : list_folder_if_any(work / "download")) {
    std::error_code ignored;
    const std::string name = entry.path().filename().string();
    if (entry.is_directory(ignored) && is_dataset_folder(name)) names.insert(name);
  }
  for (const DatasetStatus& known : list) names.erase(known.name);
  for (const std::string& name : names) {
    DatasetStatus status{.name = name, .work = work};
    if (auto fetch = fetch_status(work, name)) status.stages.push_back(std::move(*fetch));
    for (const char* stage : {"format", "shard", "instances", "manifest"}) status.stages.push_back({.stage = stage});
    status.is_running = status.stages.front().state == StageState::kRunning;
    list.push_back(std::move(status));
  }
}

}  // namespace

bool DatasetStatus::is_done() const {
  return std::all_of(stages.begin(), stages.end(),
                     [](const StageStatus& stage) { return stage.state == StageState::kDone; });
}

std::vector<DatasetStatus> status_of(const fs::path& root, const fs::path& work) {
  std::vector<DatasetStatus> list = find_results(root);
  if (fs::is_regular_file(root)) return list;
  for (const FoundRun& run : find_runs(root)) list.push_back(status_of_run(run, work));
  add_downloads(work.empty() ? default_work_folder(root) : work, list);
  if (list.empty()) list_folder(root);  // says why it can't be read
  std::stable_sort(list.begin(), list.end(),
                   [](const DatasetStatus& left, const DatasetStatus& right) { return left.name < right.name; });
  return list;
}

}  // namespace bertprep
