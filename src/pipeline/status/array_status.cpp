#include "pipeline/status/found_runs.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/folder.h"
#include "pipeline/array/array_state.h"
#include "pipeline/array/attempt.h"
#include "pipeline/work/progress_report.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// Attempts report every ten seconds; clocks of machines may differ somewhat.
constexpr std::uint64_t kFreshSeconds = 60;

bool is_running(const AttemptReport& attempt) {
  if (!attempt.error.empty()) return false;
  if (attempt.process.is_of_this_machine()) return attempt.process.is_alive();
  return seconds_since_1970() < attempt.seen_seconds + kFreshSeconds;
}

// Outcomes of the attempts at a stage, except for tasks whose units are all done.
struct AttemptCounts {
  std::size_t running = 0;
  std::size_t failed = 0;
  std::size_t lost = 0;  // ended without a report: killed, or their machine failed
  const AttemptReport* last_failed = nullptr;
};

bool is_any_left(const AttemptReport& attempt, const std::set<std::size_t>& missing) {
  if (attempt.share.count == 0) return false;
  return std::any_of(missing.begin(), missing.end(),
                     [&](std::size_t unit) { return unit % attempt.share.count == attempt.share.task; });
}

AttemptCounts count_attempts(std::span<const AttemptReport> attempts, std::string_view stage,
                             const std::set<std::size_t>& missing) {
  AttemptCounts counts;
  std::set<std::uint64_t> running;
  for (const AttemptReport& attempt : attempts) {
    if (attempt.stage == stage && is_running(attempt)) running.insert(attempt.share.task);
  }
  counts.running = running.size();
  for (const AttemptReport& attempt : attempts) {
    if (attempt.stage != stage || is_running(attempt) || running.contains(attempt.share.task)) continue;
    if (!is_any_left(attempt, missing)) continue;
    ++(attempt.error.empty() ? counts.lost : counts.failed);
    if (attempt.error.empty()) continue;
    const AttemptReport* last = counts.last_failed;
    if (last == nullptr || last->seen_seconds < attempt.seen_seconds) counts.last_failed = &attempt;
  }
  return counts;
}

std::string remark_of(const AttemptCounts& counts) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (counts.running != 0) add(grouped(counts.running) + " running");
  if (counts.failed != 0) add(grouped(counts.failed) + " failed");
  if (counts.lost != 0) add(grouped(counts.lost) + " gone");
  if (const AttemptReport* last = counts.last_failed) {
    const std::string job = last->origin.job.empty() ? "" : " (" + last->origin.engine + " " + last->origin.job + ")";
    text += "; task " + std::to_string(last->share.task) + job + " on " + last->process.host + ": " + last->error;
  }
  return text;
}

StageStatus status_of_stage(const ArrayState& state, ArrayStage stage, std::span<const AttemptReport> attempts) {
  StageStatus status{.stage = std::string(name_of(stage))};
  const StageUnits units(state, stage, true);
  status.tasks_planned = units.count();
  std::set<std::size_t> missing;
  if (stage == ArrayStage::kFinish) {
    missing.insert(0);
  } else {
    for (const std::size_t unit : units.missing()) missing.insert(unit);
  }
  status.tasks_done = units.count() - missing.size();
  const AttemptCounts counts = count_attempts(attempts, status.stage, missing);
  status.remark = remark_of(counts);
  if (missing.empty() && units.count() != 0) {
    status.state = StageState::kDone;
  } else if (counts.running != 0) {
    status.state = StageState::kRunning;
  } else if (counts.failed != 0) {
    status.state = StageState::kFailed;
  } else if (status.tasks_done + counts.lost != 0) {
    status.state = StageState::kInterrupted;
  }
  status.fraction =
      static_cast<double>(status.tasks_done) / static_cast<double>(std::max<std::size_t>(1, units.count()));
  return status;
}

std::vector<AttemptReport> attempts_since(const fs::path& folder, std::uint64_t since) {
  std::vector<AttemptReport> attempts = read_attempts(folder);
  std::erase_if(attempts,
                [&](const AttemptReport& attempt) { return attempt.seen_seconds < since && !is_running(attempt); });
  return attempts;
}

}  // namespace

StageStatus status_of_plan(const Submission& submission) {
  StageStatus status{.stage = std::string(name_of(ArrayStage::kFetch)), .tasks_planned = 1};
  const auto attempts = attempts_since(array_layout(submission.array).attempts, submission.time_seconds);
  const AttemptCounts counts = count_attempts(attempts, status.stage, {0});
  status.remark = remark_of(counts);
  if (counts.running != 0) {
    status.state = StageState::kRunning;
  } else if (counts.failed != 0) {
    status.state = StageState::kFailed;
  }
  return status;
}

std::optional<std::uint64_t> modified_at(const fs::path& file) {
  std::error_code error;
  const fs::file_time_type time = fs::last_write_time(file, error);
  if (error) return std::nullopt;
  const auto since_1970 = fs::file_time_type::clock::to_sys(time).time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(since_1970).count());
}

std::optional<fs::path> find_array(const FoundRun& run, const fs::path& work) {
  const fs::path root = fs::absolute(run.root).lexically_normal();
  for (const auto& entry : list_folder_if_any(array_folder(work))) {
    std::error_code ignored;
    if (!fs::exists(entry.path() / "plan.json", ignored)) continue;
    try {
      const ArrayState state = open_array(array_layout(entry.path()));
      const bool is_of_run =
          state.plan.output == root && state.plan.options.corpus.name == run.dataset &&
          std::any_of(run.phases.begin(), run.phases.end(), [&](const FoundPhase& phase) {
            return fs::absolute(phase.folder).lexically_normal() == result_folders(state.run).front();
          });
      if (is_of_run && !state.is_finished) return entry.path();
    } catch (const Error&) {
      continue;  // replaced just now
    }
  }
  return std::nullopt;
}

std::vector<StageStatus> stages_of_array(const fs::path& job, std::uint64_t since) {
  const ArrayState state = open_array(array_layout(job));
  const std::vector<AttemptReport> attempts = attempts_since(state.layout.attempts, since);
  std::vector<StageStatus> stages;
  for (const ArrayStage stage : kArrayStages) {
    if (stage != ArrayStage::kFetch) stages.push_back(status_of_stage(state, stage, attempts));
  }
  return stages;
}

}  // namespace bertprep
