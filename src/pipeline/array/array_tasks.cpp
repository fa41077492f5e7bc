// Array jobs: doing a task's share of a stage.
#include "pipeline/array/array_job.h"

#include <algorithm>
#include <set>

#include "base/fields.h"
#include "base/stage_errors.h"
#include "bertprep/base/error.h"
#include "pipeline/array/array_work.h"
#include "pipeline/array/attempt.h"
#include "pipeline/records/announced_shards.h"
#include "pipeline/records/recipe.h"
#include "pipeline/sequences/sequences.h"
#include "pipeline/work/stage_clock.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

template <class Options>
void append_request(const Options& options, std::string& request) {
  for (const FieldValue& field : recipe_of(options)) request += field.name + "=" + field.value + "\n";
}

void fetch_inputs_of(const ArrayJob& job, const ArrayState& state, std::span<const std::size_t> pieces,
                     Progress& progress) {
  std::vector<fs::path> files;
  for (const std::size_t piece : pieces) {
    const auto& own = state.plan.pieces[piece].input.files;
    files.insert(files.end(), own.begin(), own.end());
  }
  if (!job.fetch) {
    throw ConfigError("the tasks of this job fetch their files, and this one can't", {},
                      "run it with 'bertprep run', or plan it with local inputs");
  }
  job.fetch(files, progress);
}

StageReport do_units(const ArrayJob& job, ArrayState& state, ArrayStage stage, std::span<const std::size_t> units,
                     Progress& progress) {
  if (stage == ArrayStage::kFormat && state.plan.is_listed) fetch_inputs_of(job, state, units, progress);
  if (stage == ArrayStage::kFormat || stage == ArrayStage::kInstances) require_keys(state.plan);
  switch (stage) {
    case ArrayStage::kFormat:
      return format_pieces(state, units, progress);
    case ArrayStage::kPlace:
      return place_pieces(state, progress);
    case ArrayStage::kShard:
      return bundle_pieces(state, units, progress);
    case ArrayStage::kInstances:
      if (state.options.sequences != nullptr) return make_array_sequences(state, units, progress);
      return make_array_shards(state, units, progress);
    case ArrayStage::kFinish:
    case ArrayStage::kFetch:  // refused by check_share()
      break;
  }
  return finish_array(state, progress);
}

// The share's unfinished units; `found` is set to the number of finished ones.
std::vector<std::size_t> units_to_do(const ArrayState& state, ArrayStage stage, const ArrayShare& share,
                                     std::size_t& found) {
  const StageUnits units(state, stage);
  std::vector<std::size_t> missing;
  const std::uint64_t step = std::min<std::uint64_t>(share.count, units.count());  // avoids overflow
  for (std::size_t unit = share.task; unit < units.count(); unit += step) {
    if (units.is_done(unit)) {
      ++found;
    } else {
      missing.push_back(unit);
    }
  }
  return missing;
}

// Files that an attempt needs vanish if another one has finished the job meanwhile.
bool is_finished_now(const ArrayLayout& layout) {
  try {
    return open_array(layout).is_finished;
  } catch (const std::exception&) {
    return false;  // report the original error
  }
}

void check_share(ArrayStage stage, const ArrayShare& share) {
  if (stage == ArrayStage::kFetch) {
    throw ConfigError("the stage 'fetch' is not a task number", {}, "it makes the plan: plan_array()");
  }
  require_task(share.task, share.count);
  if (!is_array(stage) && share.task != 0) {
    throw ConfigError("the stage '" + std::string(name_of(stage)) + "' is one task, not an array", {},
                      "run it once, not in an array");
  }
}

}  // namespace

std::string array_request(std::span<const std::string> inputs, const SourceOptions& source, const WikiOptions& wiki,
                          const PipelineOptions& options) {
  std::string request;
  for (const std::string& input : inputs) request += "input=" + input + "\n";
  append_request(source, request);
  append_request(wiki, request);
  append_request(options.corpus, request);
  append_request(options, request);
  append_request(options.tokenizer, request);
  append_request(options.sentences, request);
  append_request(options.sharding, request);
  append_request(options.instances, request);
  append_request(options.layout, request);
  if (options.sequences != nullptr) {
    append_request(options.sequences->options, request);
    append_request(options.sequences->encoder, request);
  }
  return request;
}

StageReport run_array_task(const ArrayJob& job, ArrayStage stage, const ArrayShare& share, const WorkOptions& work,
                           const AttemptOrigin& origin, Progress& observer) try {
  const StageClock clock;
  check_share(stage, share);
  ArrayState state = open_array(array_layout(job));
  state.options.work.threads = work.threads;
  state.options.work.memory = work.memory;
  // Its units are unknown until the articles are placed.
  if (stage == ArrayStage::kInstances && !state.knows_shards()) require_stage(state, ArrayStage::kPlace);
  std::size_t found = 0;
  const std::vector<std::size_t> units = units_to_do(state, stage, share, found);
  StageReport report{.stage = std::string(name_of(stage))};
  if (!units.empty()) {
    AttemptReport description{.stage = report.stage, .share = share, .origin = origin};
    Attempt attempt(state.layout.attempts, std::move(description), observer);
    try {
      report = do_units(job, state, stage, units, attempt);
    } catch (const Cancelled& cancelled) {
      attempt.fail(cancelled.what());
      throw;
    } catch (const std::exception& error) {
      // finish_array() itself detects work of other attempts; its other errors must be reported.
      if (stage != ArrayStage::kFinish && is_finished_now(state.layout)) {
        found += units.size();
      } else {
        attempt.fail(error.what());
        throw;
      }
    }
  } else if (state.is_finished && stage == ArrayStage::kFinish) {
    clean_up(state);
  }
  report.tasks_found += found;
  clock.measure(report);
  return report;
} catch (...) {
  rethrow_as_error("a task of an array job");
}

std::vector<std::uint64_t> unfinished_tasks(const ArrayJob& job, ArrayStage stage, std::uint64_t count) {
  if (count == 0) throw ConfigError("an array has at least one task");
  const ArrayState state = open_array(array_layout(job));
  std::set<std::uint64_t> tasks;
  if (stage == ArrayStage::kInstances && !state.is_finished && !state.knows_shards()) {
    for (std::uint64_t task = 0; task < count; ++task) tasks.insert(task);
  }
  for (const std::size_t unit : StageUnits(state, stage).missing()) tasks.insert(unit % count);
  return {tasks.begin(), tasks.end()};
}

std::optional<ArrayStage> unfinished_stage(const ArrayJob& job) {
  const ArrayState state = open_array(array_layout(job));
  if (state.is_finished) return std::nullopt;
  for (const ArrayStage stage : kArrayStages) {
    const bool is_left = stage == ArrayStage::kFinish ||
                         (stage != ArrayStage::kFetch && !StageUnits(state, stage, true).missing().empty());
    if (is_left) return stage;
  }
  return std::nullopt;
}

}  // namespace bertprep
