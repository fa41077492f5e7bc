#include "batch/array_position.h"

#include <array>
#include <vector>

#include "batch/index_list.h"

namespace bertprep {
namespace {

// The position of a task among all tasks of its array, counted without gaps.
struct DensePlace {
  std::uint64_t task = 0;
  std::uint64_t count = 1;
};

// The array task of this process by the variables of its engine.
struct EngineIndex {
  std::string engine;
  std::string variable;  // that holds the index
  std::uint64_t value = 0;
  std::uint64_t first = 0;            // the lowest number that the engine gives to a task: 0 or 1
  std::string gap{};                  // why there is no place, to follow "is set, but "
  std::optional<DensePlace> place{};  // nothing: the engine does not say how many tasks there are
};

// Empty if not set or set to nothing.
std::string text_of(const Environment& environment, const char* variable) {
  const char* value = environment(variable);
  return value == nullptr ? "" : value;
}

[[noreturn]] void refuse(const std::string& what) {
  throw ConfigError(what, {}, "say which task this is with `array_task` and `array_count`");
}

// Nothing if the variable is not set, empty, or "undefined" (SGE's word). Throws ConfigError if it is not a number.
std::optional<std::uint64_t> number_of(const Environment& environment, const char* variable) {
  const std::string text = text_of(environment, variable);
  if (text.empty() || text == "undefined") return std::nullopt;
  if (const auto number = number_in<std::uint64_t>(text)) return number;
  throw ConfigError(std::string(variable) + " is '" + text + "', which is not a valid index", {},
                    "unset it, or say which task this is with `array_task` and `array_count`");
}

void place(EngineIndex& index, std::uint64_t first, std::uint64_t last, std::uint64_t step) {
  const std::uint64_t value = index.value;
  if (value < first || value > last || (value - first) % step != 0) {
    refuse(index.variable + " is " + std::to_string(value) + ", which is not in its array of " + std::to_string(first) +
           " to " + std::to_string(last));
  }
  index.place = DensePlace{(value - first) / step, (last - first) / step + 1};
}

void place_in_aws_batch(const Environment& environment, EngineIndex& index) {
  const auto size = number_of(environment, "AWS_BATCH_JOB_ARRAY_SIZE");
  if (size && *size != 0) place(index, 0, *size - 1, 1);
}

// COUNT is the number of indices in the array, not their span: an array that repeats some tasks must not be taken for
// all of them.
void place_in_slurm(const Environment& environment, EngineIndex& index) {
  const auto count = number_of(environment, "SLURM_ARRAY_TASK_COUNT");
  const auto first = number_of(environment, "SLURM_ARRAY_TASK_MIN");
  const auto last = number_of(environment, "SLURM_ARRAY_TASK_MAX");
  if (!count || !first || !last) return;
  index.gap = "the array has gaps (" + std::to_string(*count) + " tasks from " + std::to_string(*first) + " to " +
              std::to_string(*last) + ")";
  if (*last >= *first && *last - *first + 1 == *count) place(index, *first, *last, 1);
}

void place_in_sge(const Environment& environment, EngineIndex& index) {
  const auto first = number_of(environment, "SGE_TASK_FIRST");
  const auto last = number_of(environment, "SGE_TASK_LAST");
  const auto step = number_of(environment, "SGE_TASK_STEPSIZE").value_or(1);
  if (first && last && step != 0) place(index, *first, *last, step);
}

void place_in_lsf(const Environment& environment, EngineIndex& index) {
  const auto last = number_of(environment, "LSB_JOBINDEX_END");
  if (!last || *last == 0) return;
  const auto step = number_of(environment, "LSB_JOBINDEX_STEP").value_or(1);
  index.gap = "the array has gaps (steps of " + std::to_string(step) + ")";
  if (step == 1) place(index, 1, *last, 1);
}

void place_nowhere(const Environment& /*environment*/, EngineIndex& /*index*/) {}

struct Engine {
  const char* name;
  const char* variable;
  std::uint64_t first;
  const char* gap;  // unless `place` says more
  void (*place)(const Environment& environment, EngineIndex& index);
};

constexpr std::array<Engine, 6> kEngines{{
    {"AWS Batch", "AWS_BATCH_JOB_ARRAY_INDEX", 0, "AWS_BATCH_JOB_ARRAY_SIZE is not", place_in_aws_batch},
    {"Slurm", "SLURM_ARRAY_TASK_ID", 0, "SLURM_ARRAY_TASK_COUNT, _MIN and _MAX are not", place_in_slurm},
    {"SGE", "SGE_TASK_ID", 1, "SGE_TASK_FIRST and SGE_TASK_LAST are not", place_in_sge},
    {"PBS", "PBS_ARRAY_INDEX", 0, "PBS does not say how many tasks there are", place_nowhere},
    {"LSF", "LSB_JOBINDEX", 1, "LSB_JOBINDEX_END is not", place_in_lsf},
    {"Kubernetes", "JOB_COMPLETION_INDEX", 0, "Kubernetes does not say how many tasks there are", place_nowhere},
}};

// Nothing outside of array jobs, where LSF gives the index 0.
std::optional<EngineIndex> engine_index(const Environment& environment) {
  std::optional<EngineIndex> found;
  for (const auto& [name, variable, first, gap, place_in] : kEngines) {
    const auto value = number_of(environment, variable);
    if (!value || (*value == 0 && variable == std::string_view("LSB_JOBINDEX"))) continue;
    EngineIndex index{name, variable, *value, first, gap};
    place_in(environment, index);
    if (found) refuse(found->variable + " and " + index.variable + " are both set");
    found = std::move(index);
  }
  return found;
}

std::optional<std::uint64_t> given_number(const char* name, const std::string& text) {
  if (text.empty()) return std::nullopt;
  const std::int64_t number = parse_integer(name, text);
  if (number < 0) throw ConfigError(quoted_field(name) + " is " + text + ", it must be at least 0");
  return static_cast<std::uint64_t>(number);
}

// The index of this process in the array or, with a list, in the list.
struct Index {
  std::uint64_t value = 0;
  std::string name{};  // its origin, for messages
  std::uint64_t first = 0;
  std::string engine{};
};

Index index_of(const ArrayOptions& given, const std::optional<EngineIndex>& engine, bool only_one) {
  if (const auto task = given_number("array-task", given.array_task)) return {*task, "`array_task`"};
  if (engine) {
    if (engine->value < engine->first) {
      throw ConfigError(engine->variable + " is 0, but " + engine->engine + " counts tasks from 1");
    }
    return {engine->value - engine->first, engine->variable, engine->first, engine->engine};
  }
  if (only_one) return {};
  throw ConfigError("`array_count` is given, but this is not a known array job", {},
                    "say which task this is with `array_task`");
}

ArrayPosition listed_position(const ArrayOptions& given, std::uint64_t count,
                              const std::optional<EngineIndex>& engine) {
  const std::vector<std::uint64_t> tasks = read_index_list(given.array_list, count);
  const Index index = index_of(given, engine, tasks.size() <= 1);
  if (index.value >= tasks.size()) return {0, count, index.engine, true};
  return {tasks[index.value], count, index.engine, false};
}

ArrayPosition counted_position(const ArrayOptions& given, std::uint64_t count,
                               const std::optional<EngineIndex>& engine) {
  const Index index = index_of(given, engine, count == 1);
  if (index.value < count) return {index.value, count, index.engine, false};
  throw ConfigError(index.name + " is " + std::to_string(index.value + index.first) + ", but there are " +
                        std::to_string(count) + " tasks, numbered from " + std::to_string(index.first),
                    {}, "correct the range of the array, or `array_count`");
}

// A number that does not affect the work must not stop it: unreadable means unknown.
std::uint64_t number_or(const Environment& environment, const char* variable, std::uint64_t fallback) {
  return number_in<std::uint64_t>(text_of(environment, variable)).value_or(fallback);
}

}  // namespace

FieldList<ArrayOptions> ArrayOptions::fields() {
  static const Field<ArrayOptions> kFields[] = {
      {"array-task", &ArrayOptions::array_task, "index",
       "task of the array to run, from 0 (default: set by the engine)"},
      {"array-count", &ArrayOptions::array_count, "tasks", "number of tasks in the array (default: set by the engine)"},
      {"array-list", &ArrayOptions::array_list, "file",
       "file with one task per line, as retry-list --syntax aws-batch prints it: index k runs the task on line k + 1"},
  };
  return {kFields, OptionGroup::kArrayJobs};
}

ArrayPosition array_position(const ArrayOptions& given, const Environment& environment) {
  const auto count = given_number("array-count", given.array_count);
  if (count && *count == 0) throw ConfigError("`array_count` is 0, it must be at least 1");
  if (!count && (!given.array_task.empty() || !given.array_list.empty())) {
    throw ConfigError(
        std::string(given.array_task.empty() ? "`array_list`" : "`array_task`") + " is given without `array_count`", {},
        "also give the number of tasks in the whole array");
  }
  const auto engine = given.array_task.empty() ? engine_index(environment) : std::nullopt;
  if (count && !given.array_list.empty()) return listed_position(given, *count, engine);
  if (count) return counted_position(given, *count, engine);
  if (!engine) return {};
  if (engine->place) return {engine->place->task, engine->place->count, engine->engine, false};
  throw ConfigError(
      engine->variable + " is set, but " + engine->gap, {},
      "give `array_count` with the number of tasks in the whole array, numbered from " + std::to_string(engine->first));
}

JobAttempt engine_attempt(const Environment& environment) {
  const auto text = [&](const char* variable) { return text_of(environment, variable); };
  const auto is_set = [&](const char* variable) { return !text(variable).empty(); };
  if (is_set("AWS_BATCH_JOB_ID")) {
    return {"AWS Batch", text("AWS_BATCH_JOB_ID"), {}, number_or(environment, "AWS_BATCH_JOB_ATTEMPT", 0)};
  }
  if (is_set("SLURM_JOB_ID")) {
    const std::string array = text("SLURM_ARRAY_JOB_ID");
    return {"Slurm", array.empty() ? text("SLURM_JOB_ID") : array + "_" + text("SLURM_ARRAY_TASK_ID"),
            text("SLURM_JOB_NAME"), number_or(environment, "SLURM_RESTART_COUNT", 0) + 1};
  }
  if (is_set("SGE_TASK_ID") && is_set("JOB_ID")) {
    const std::string task = text("SGE_TASK_ID");
    return {"SGE", text("JOB_ID") + (task == "undefined" ? "" : "." + task), text("JOB_NAME"),
            number_or(environment, "RESTARTED", 0) + 1};
  }
  if (is_set("PBS_JOBID")) return {"PBS", text("PBS_JOBID"), text("PBS_JOBNAME"), 0};
  if (is_set("LSB_JOBID")) {
    const std::string index = text("LSB_JOBINDEX");
    const bool is_array = !index.empty() && index != "0";
    return {"LSF", text("LSB_JOBID") + (is_array ? "[" + index + "]" : ""), text("LSB_JOBNAME"), 0};
  }
  // The manifests of `submit` name the pod; the host's name is that of the job and its index.
  if (is_set("BERTPREP_POD")) return {"Kubernetes", text("BERTPREP_POD"), {}, 0};
  if (is_set("JOB_COMPLETION_INDEX")) return {"Kubernetes", text("HOSTNAME"), {}, 0};
  return {};
}

}  // namespace bertprep
