#include "pipeline/run_stage.h"

#include <cstdlib>

#include "batch/submission.h"
#include "bertprep/base/error.h"
#include "io/state_folder.h"
#include "pipeline/array/array_state.h"

namespace bertprep {
namespace {

AttemptOrigin origin_of_this_process() {
  const JobAttempt attempt = engine_attempt(std::getenv);
  return {attempt.engine, attempt.job, attempt.attempt == 0 ? std::string() : std::to_string(attempt.attempt)};
}

// A stage outside an array ignores the engine's variables.
ArrayPosition position_in(ArrayStage stage, const ArrayOptions& array) {
  if (!is_array(stage)) {
    if (array.array_task.empty() && array.array_count.empty()) return {};
    throw ConfigError("the stage '" + std::string(name_of(stage)) + "' is one task, not an array", {},
                      "leave out `array_task` and `array_count`");
  }
  return array_position(array, std::getenv);
}

// What a submitted job prints is in a log: `status` reads an attempt.
StageReport fetch(RunRequest& request, const StageRequest& stage, std::span<const GivenOption> given,
                  Progress& progress) {
  const ArrayJob job = request.array_job();
  const auto plan = [&](Progress& observer) {
    const std::vector<CorpusPart> parts = request.resolve_plan(given, observer);
    return plan_array(job, parts, request.pipeline, piece_bytes(stage.piece_size), observer);
  };
  if (!Submission::find(state_beside(job.folders.output / job.name))) return plan(progress);
  const std::filesystem::path attempts = array_layout(job).attempts;
  std::filesystem::create_directories(attempts);
  Attempt attempt(attempts, stage.stage, {{}, origin_of_this_process()}, progress);
  try {
    return plan(attempt);
  } catch (const std::exception& error) {
    attempt.fail(error.what());
    throw;
  }
}

}  // namespace

std::uint64_t piece_bytes(const std::string& piece_size) {
  return size_in_bytes(piece_size.empty() ? kUsualPieceSize : piece_size, "piece-size");
}

StageReport run_stage(RunRequest& request, const StageRequest& given_stage, std::span<const GivenOption> given,
                      Progress& progress) {
  const ArrayStage stage = array_stage(given_stage.stage);
  check_array(request.pipeline);
  const ArrayPosition position = position_in(stage, given_stage.array);
  if (stage == ArrayStage::kFetch) return fetch(request, given_stage, given, progress);
  if (position.beyond_list) {
    progress.note("this task is beyond the end of the list: nothing to do");
    return {.stage = given_stage.stage};
  }
  const std::string found_by = position.engine.empty() ? "" : " (from the variables of " + position.engine + ")";
  if (is_array(stage)) {
    progress.note("stage " + given_stage.stage + ", task " + std::to_string(position.task) + " of " +
                  std::to_string(position.count) + found_by);
  }
  return run_array_task(request.array_job(), stage, {position.task, position.count}, request.pipeline.work,
                        origin_of_this_process(), progress);
}

}  // namespace bertprep
