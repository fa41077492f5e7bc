#include "batch/engine_variables.h"

#include "base/number_text.h"
#include "bertprep/base/error.h"

namespace bertprep {
namespace {

// Empty if not set or set to nothing.
std::string text_of(const Environment& environment, const char* variable) {
  const char* value = environment(variable);
  return value == nullptr ? "" : value;
}

// Nothing if the variable is not set, empty, or "undefined" (SGE's word). Throws ConfigError if it is not a number.
std::optional<std::uint64_t> number_of(const Environment& environment, const char* variable) {
  const std::string text = text_of(environment, variable);
  if (text.empty() || text == "undefined") return std::nullopt;
  if (const auto number = number_in<std::uint64_t>(text)) return number;
  throw ConfigError(std::string(variable) + " is '" + text + "', which is not a valid index", {},
                    "unset it, or say which task this is with `array_task` and `array_count`");
}

[[noreturn]] void refuse(const std::string& what) {
  throw ConfigError(what, {}, "say which task this is with `array_task` and `array_count`");
}

DensePlace placed(const std::string& variable, std::uint64_t value, std::uint64_t first, std::uint64_t last,
                  std::uint64_t step) {
  if (value < first || value > last || (value - first) % step != 0) {
    refuse(variable + " is " + std::to_string(value) + ", which is not in its array of " + std::to_string(first) +
           " to " + std::to_string(last));
  }
  return {(value - first) / step, (last - first) / step + 1};
}

std::optional<EngineIndex> of_aws_batch(const Environment& environment) {
  const char* const variable = "AWS_BATCH_JOB_ARRAY_INDEX";
  const auto value = number_of(environment, variable);
  if (!value) return std::nullopt;
  EngineIndex index{"AWS Batch", variable, *value, 0, {}, "AWS_BATCH_JOB_ARRAY_SIZE is not"};
  const auto size = number_of(environment, "AWS_BATCH_JOB_ARRAY_SIZE");
  if (size && *size != 0) index.place = placed(variable, *value, 0, *size - 1, 1);
  return index;
}

// COUNT is the number of indices in the array, not their span: an array that repeats some tasks must not be taken for
// all of them.
std::optional<EngineIndex> of_slurm(const Environment& environment) {
  const char* const variable = "SLURM_ARRAY_TASK_ID";
  const auto value = number_of(environment, variable);
  if (!value) return std::nullopt;
  EngineIndex index{"Slurm", variable, *value, 0, {}, "SLURM_ARRAY_TASK_COUNT, _MIN and _MAX are not"};
  const auto count = number_of(environment, "SLURM_ARRAY_TASK_COUNT");
  const auto first = number_of(environment, "SLURM_ARRAY_TASK_MIN");
  const auto last = number_of(environment, "SLURM_ARRAY_TASK_MAX");
  if (!count || !first || !last) return index;
  index.gap = "the array has gaps (" + std::to_string(*count) + " tasks from " + std::to_string(*first) + " to " +
              std::to_string(*last) + ")";
  if (*last >= *first && *last - *first + 1 == *count) index.place = placed(variable, *value, *first, *last, 1);
  return index;
}

std::optional<EngineIndex> of_sge(const Environment& environment) {
  const char* const variable = "SGE_TASK_ID";
  const auto value = number_of(environment, variable);
  if (!value) return std::nullopt;
  EngineIndex index{"SGE", variable, *value, 1, {}, "SGE_TASK_FIRST and SGE_TASK_LAST are not"};
  const auto first = number_of(environment, "SGE_TASK_FIRST");
  const auto last = number_of(environment, "SGE_TASK_LAST");
  const auto step = number_of(environment, "SGE_TASK_STEPSIZE").value_or(1);
  if (first && last && step != 0) index.place = placed(variable, *value, *first, *last, step);
  return index;
}

std::optional<EngineIndex> of_pbs(const Environment& environment) {
  const char* const variable = "PBS_ARRAY_INDEX";
  const auto value = number_of(environment, variable);
  if (!value) return std::nullopt;
  return EngineIndex{"PBS", variable, *value, 0, {}, "PBS does not say how many tasks there are"};
}

// Of an Indexed Job.
std::optional<EngineIndex> of_kubernetes(const Environment& environment) {
  const char* const variable = "JOB_COMPLETION_INDEX";
  const auto value = number_of(environment, variable);
  if (!value) return std::nullopt;
  return EngineIndex{"Kubernetes", variable, *value, 0, {}, "Kubernetes does not say how many tasks there are"};
}

std::optional<EngineIndex> of_lsf(const Environment& environment) {
  const char* const variable = "LSB_JOBINDEX";
  const auto value = number_of(environment, variable);
  if (!value || *value == 0) return std::nullopt;
  EngineIndex index{"LSF", variable, *value, 1, {}, "LSB_JOBINDEX_END is not"};
  const auto last = number_of(environment, "LSB_JOBINDEX_END");
  if (!last || *last == 0) return index;
  const auto step = number_of(environment, "LSB_JOBINDEX_STEP").value_or(1);
  index.gap = "the array has gaps (steps of " + std::to_string(step) + ")";
  if (step == 1) index.place = placed(variable, *value, 1, *last, 1);
  return index;
}

// A number that does not affect the work must not stop it: unreadable means unknown.
std::uint64_t number_or(const Environment& environment, const char* variable, std::uint64_t fallback) {
  return number_in<std::uint64_t>(text_of(environment, variable)).value_or(fallback);
}

JobAttempt slurm_attempt(const Environment& environment) {
  const std::string array = text_of(environment, "SLURM_ARRAY_JOB_ID");
  const std::string job =
      array.empty() ? text_of(environment, "SLURM_JOB_ID") : array + "_" + text_of(environment, "SLURM_ARRAY_TASK_ID");
  return {"Slurm", job, text_of(environment, "SLURM_JOB_NAME"), number_or(environment, "SLURM_RESTART_COUNT", 0) + 1};
}

JobAttempt sge_attempt(const Environment& environment) {
  const std::string task = text_of(environment, "SGE_TASK_ID");
  const bool is_array = !task.empty() && task != "undefined";
  return {"SGE", text_of(environment, "JOB_ID") + (is_array ? "." + task : ""), text_of(environment, "JOB_NAME"),
          number_or(environment, "RESTARTED", 0) + 1};
}

JobAttempt lsf_attempt(const Environment& environment) {
  const std::string index = text_of(environment, "LSB_JOBINDEX");
  const bool is_array = !index.empty() && index != "0";
  return {"LSF", text_of(environment, "LSB_JOBID") + (is_array ? "[" + index + "]" : ""),
          text_of(environment, "LSB_JOBNAME"), 0};
}

}  // namespace

std::optional<EngineIndex> engine_index(const Environment& environment) {
  std::optional<EngineIndex> found;
  for (const auto engine : {of_aws_batch, of_slurm, of_sge, of_pbs, of_lsf, of_kubernetes}) {
    std::optional<EngineIndex> index = engine(environment);
    if (!index) continue;
    if (found) refuse(found->variable + " and " + index->variable + " are both set");
    found = std::move(index);
  }
  return found;
}

JobAttempt engine_attempt(const Environment& environment) {
  const auto is_set = [&](const char* variable) { return !text_of(environment, variable).empty(); };
  if (is_set("AWS_BATCH_JOB_ID")) {
    return {
        "AWS Batch", text_of(environment, "AWS_BATCH_JOB_ID"), {}, number_or(environment, "AWS_BATCH_JOB_ATTEMPT", 0)};
  }
  if (is_set("SLURM_JOB_ID")) return slurm_attempt(environment);
  if (is_set("SGE_TASK_ID") && is_set("JOB_ID")) return sge_attempt(environment);
  if (is_set("PBS_JOBID")) {
    return {"PBS", text_of(environment, "PBS_JOBID"), text_of(environment, "PBS_JOBNAME"), 0};
  }
  if (is_set("LSB_JOBID")) return lsf_attempt(environment);
  // The manifests of `submit` name the pod; the host's name is that of the job and its index.
  if (is_set("BERTPREP_POD")) return {"Kubernetes", text_of(environment, "BERTPREP_POD"), {}, 0};
  if (is_set("JOB_COMPLETION_INDEX")) return {"Kubernetes", text_of(environment, "HOSTNAME"), {}, 0};
  return {};
}

}  // namespace bertprep
