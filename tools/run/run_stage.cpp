#include "run/run_stage.h"

#include <cstdlib>

#include "base/fields.h"
#include "base/number_text.h"
#include "batch/engine_variables.h"
#include "batch/submission.h"
#include "bertprep/base/error.h"
#include "io/state_folder.h"
#include "pipeline/array/array_state.h"
#include "pipeline/array/attempt.h"

namespace bertprep::cli {
namespace {

constexpr const char* kPieceSize = "64M";

AttemptOrigin origin_of_this_process() {
  const JobAttempt attempt = engine_attempt(std::getenv);
  return {attempt.engine, attempt.job, attempt.attempt == 0 ? std::string() : std::to_string(attempt.attempt)};
}

// A stage outside an array ignores the engine's variables.
ArrayPosition position_in(ArrayStage stage, const ArrayOptions& array) {
  if (!is_array(stage)) {
    if (array.array_task.empty() && array.array_count.empty()) return {};
    throw ConfigError("--stage " + std::string(name_of(stage)) + " is one task, not an array", {},
                      "leave out --array-task and --array-count");
  }
  return array_position(array, std::getenv);
}

}  // namespace

void add_piece_size(CLI::App& app, std::string& piece_size) {
  app.add_option(
         "--piece-size", piece_size,
         std::string("array jobs: cut the input into pieces of about this many bytes (default ") + kPieceSize + ")")
      ->type_name("BYTES")
      ->group(heading(OptionGroup::kArrayJobs));
}

std::uint64_t piece_bytes(const std::string& piece_size) {
  return size_in_bytes(piece_size.empty() ? kPieceSize : piece_size, "piece-size");
}

void RunStage::add_options(CLI::App& app, OptionTable& options) {
  const std::string array_jobs = heading(OptionGroup::kArrayJobs);
  app.add_option("--stage", stage_,
                 "run one stage of an array job; run the stages in this order; format, shard and instances are arrays "
                 "of any number of tasks")
      ->type_name("fetch|format|place|shard|instances|finish")
      ->group(array_jobs);
  add_piece_size(app, piece_size_);
  options.add(app, array_);
}

StageReport RunStage::plan(RunRequest& request, Progress& progress) const {
  request.resolve_plan(progress);
  return plan_array(request.array_job(), request.inputs().parts(), request.pipeline(), piece_bytes(piece_size_),
                    progress);
}

StageReport RunStage::fetch(RunRequest& request, Console& console) const {
  const ArrayJob& job = request.array_job();
  if (!Submission::find(state_beside(job.folders.output / job.name))) return plan(request, console);
  // What a submitted job prints is in a log: `status` reads this.
  const std::filesystem::path attempts = array_layout(job).attempts;
  std::filesystem::create_directories(attempts);
  Attempt attempt(attempts, {.stage = stage_, .origin = origin_of_this_process()}, console);
  try {
    return plan(request, attempt);
  } catch (const std::exception& error) {
    attempt.fail(error.what());
    throw;
  }
}

StageReport RunStage::run(RunRequest& request, Console& console) const {
  const ArrayStage stage = array_stage(stage_);
  const ArrayPosition position = position_in(stage, array_);
  if (stage == ArrayStage::kFetch) return fetch(request, console);
  if (position.beyond_list) {
    console.note("this task is beyond the end of the list: nothing to do");
    return {.stage = stage_};
  }
  const std::string found_by = position.engine.empty() ? "" : " (from the variables of " + position.engine + ")";
  if (is_array(stage)) {
    console.note("stage " + stage_ + ", task " + std::to_string(position.task) + " of " +
                 std::to_string(position.count) + found_by);
  }
  return run_array_task(request.array_job(), stage, {position.task, position.count}, request.pipeline().work,
                        origin_of_this_process(), console);
}

}  // namespace bertprep::cli
