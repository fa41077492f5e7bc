// The states of tasks by their completion records alone.
#include <algorithm>

#include "bertprep/base/error.h"
#include "io/folder.h"
#include "io/record_files.h"
#include "io/state_folder.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/record_reader.h"
#include "pipeline/status/found_runs.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

std::uint64_t count_in(const CompletionRecord& record, const char* name) {
  const Json* count = record.counts.find(name);
  return count == nullptr ? 0 : count->as_unsigned();
}

StageStatus status_of_record(const fs::path& folder, const CompletionRecord& record) {
  StageStatus stage{.stage = std::string(record.stage()), .tasks_planned = record.outputs.size()};
  stage.articles = count_in(record, "articles");
  stage.sentences = count_in(record, "sentences");
  bool other_size = false;
  for (const OutputEntry& output : record.outputs) {
    const OutputState state = output_state(folder, output);
    if (state == OutputState::kPresent) {
      ++stage.tasks_done;
      stage.bytes += output.size_bytes;
    } else if (stage.remark.empty()) {
      other_size = other_size || state == OutputState::kOtherSize;
      stage.remark = output.name + (state == OutputState::kMissing ? " is gone" : " has the wrong size");
    }
  }
  stage.state = stage.tasks_done == stage.tasks_planned ? StageState::kDone : StageState::kDamaged;
  // Files that are all missing were removed on purpose, by --keep or by hand.
  if (stage.tasks_done == 0 && !other_size) {
    stage.state = StageState::kNotStarted;
    stage.remark = "its files were removed";
  }
  return stage;
}

StageStatus unreadable(const char* stage) {
  return {.stage = stage, .state = StageState::kDamaged, .remark = "its completion record can't be read"};
}

// The record of all text shards, or of all extracted files, is named for their stage.
std::string name_of(const fs::path& folder, const std::string& task, const std::string& stage) {
  if (stage == "shard") return task.substr(0, task.size() - shard_task_name("").size());
  return stage == "extract" ? folder.filename().string() : task;
}

void add_result(const fs::path& folder, const std::string& task, std::vector<DatasetStatus>& list) try {
  const auto record = load_record(folder, task);
  if (!record || !record->is_of_text()) return;
  StageStatus stage = status_of_record(folder, *record);
  if (stage.state == StageState::kNotStarted) return;
  list.push_back({.name = name_of(folder, task, stage.stage), .stages = {std::move(stage)}});
} catch (const Error&) {
  // That of a shard is reported with the others of its set.
  if (fs::path(task).has_extension()) list.push_back({.name = task, .stages = {unreadable("")}});
}

}  // namespace

StageStatus status_of_task(const char* stage, const fs::path& folder, const std::string& task) try {
  const auto record = load_record(folder, task);
  StageStatus status = record ? status_of_record(folder, *record) : StageStatus();
  status.stage = stage;
  return status;
} catch (const Error&) {
  return unreadable(stage);
}

std::vector<DatasetStatus> find_results(const fs::path& path) {
  std::vector<DatasetStatus> list;
  if (fs::is_regular_file(path)) {
    add_result(folder_of(path), path.filename().string(), list);
  } else if (const auto state = find_state_folder(path)) {
    for (const std::string& task : RecordFiles(*state).tasks()) add_result(*folder_of_state(*state), task, list);
  }
  return list;
}

}  // namespace bertprep
