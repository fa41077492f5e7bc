#include "batch/job_attempt.h"

#include <charconv>

namespace bertprep {
namespace {

// A number that does not count for the work must not stop it: what can't be read is not known.
std::uint64_t number_or(const Environment& environment, const char* variable, std::uint64_t fallback) {
  const std::string text = text_of(environment, variable);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return !text.empty() && error == std::errc{} && end == text.data() + text.size() ? number : fallback;
}

JobAttempt of_slurm(const Environment& environment) {
  const std::string array = text_of(environment, "SLURM_ARRAY_JOB_ID");
  const std::string job =
      array.empty() ? text_of(environment, "SLURM_JOB_ID") : array + "_" + text_of(environment, "SLURM_ARRAY_TASK_ID");
  return {"Slurm", job, text_of(environment, "SLURM_JOB_NAME"), number_or(environment, "SLURM_RESTART_COUNT", 0) + 1};
}

JobAttempt of_sge(const Environment& environment) {
  const std::string task = text_of(environment, "SGE_TASK_ID");
  const bool is_array = !task.empty() && task != "undefined";
  return {"SGE", text_of(environment, "JOB_ID") + (is_array ? "." + task : ""), text_of(environment, "JOB_NAME"),
          number_or(environment, "RESTARTED", 0) + 1};
}

JobAttempt of_lsf(const Environment& environment) {
  const std::string index = text_of(environment, "LSB_JOBINDEX");
  const bool is_array = !index.empty() && index != "0";
  return {"LSF", text_of(environment, "LSB_JOBID") + (is_array ? "[" + index + "]" : ""),
          text_of(environment, "LSB_JOBNAME"), 0};
}

}  // namespace

JobAttempt engine_attempt(const Environment& environment) {
  const auto is_set = [&](const char* variable) { return !text_of(environment, variable).empty(); };
  if (is_set("AWS_BATCH_JOB_ID")) {
    return {
        "AWS Batch", text_of(environment, "AWS_BATCH_JOB_ID"), {}, number_or(environment, "AWS_BATCH_JOB_ATTEMPT", 0)};
  }
  if (is_set("SLURM_JOB_ID")) return of_slurm(environment);
  if (is_set("SGE_TASK_ID") && is_set("JOB_ID")) return of_sge(environment);
  if (is_set("PBS_JOBID")) {
    return {"PBS", text_of(environment, "PBS_JOBID"), text_of(environment, "PBS_JOBNAME"), 0};
  }
  if (is_set("LSB_JOBID")) return of_lsf(environment);
  // The manifests of `submit` name the pod; the host's name is that of the job and its index.
  if (is_set("BERTPREP_POD")) return {"Kubernetes", text_of(environment, "BERTPREP_POD"), {}, 0};
  if (is_set("JOB_COMPLETION_INDEX")) return {"Kubernetes", text_of(environment, "HOSTNAME"), {}, 0};
  return {};
}

}  // namespace bertprep
