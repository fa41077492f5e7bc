// The job files of Slurm, and the sbatch commands that submit them.
#include <algorithm>
#include <charconv>
#include <sstream>

#include "batch/embedded.h"
#include "batch/index_list.h"
#include "batch/job_chain.h"
#include "io/shell_words.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

// sbatch parses its lines like a shell, but understands only quotes.
std::string directive(const std::string& option) {
  if (option.find_first_of(" \t'\"\\#") == std::string::npos) return "#SBATCH " + option + "\n";
  if (option.find('"') != std::string::npos || option.find('\\') != std::string::npos) {
    throw ConfigError("'" + option + "' can't be written into a Slurm job file", {},
                      "choose names without quotes and backslashes");
  }
  const std::size_t value = option.find('=') + 1;
  return "#SBATCH " + option.substr(0, value) + "\"" + option.substr(value) + "\"\n";
}

void require_one_line(const std::string& text) {
  if (text.find('\n') == std::string::npos) return;
  throw ConfigError("'" + text + "' contains a line break, which a job file can't hold");
}

// "1-02:00:00"
std::string time_text(std::uint64_t seconds) {
  return std::to_string(seconds / 86400) + "-" + padded_number(seconds / 3600 % 24, 2) + ":" +
         padded_number(seconds / 60 % 60, 2) + ":" + padded_number(seconds % 60, 2);
}

// sbatch expands patterns such as %a in log names.
std::string log_pattern(const JobChain& chain, const JobStage& stage) {
  std::string folder = chain.folder / "logs";
  replace_all(folder, "%", "%%");
  return folder + "/" + stage.name + (stage.is_array ? ".%A_%a.log" : ".%j.log");
}

// TERM is sent this long before the limit; Slurm may send it up to a minute earlier.
std::uint64_t seconds_to_leave(std::uint64_t limit_seconds) {
  return std::min<std::uint64_t>(60, limit_seconds / 5);
}

std::vector<std::string> own_options(const SubmitOptions& options) {
  std::vector<std::string> own;
  if (!options.partition.empty()) own.push_back("--partition=" + options.partition);
  if (!options.account.empty()) own.push_back("--account=" + options.account);
  if (!options.qos.empty()) own.push_back("--qos=" + options.qos);
  std::istringstream further(options.sbatch);
  for (std::string option; further >> option;) own.push_back(option);
  return own;
}

std::string directives(const JobChain& chain, const JobStage& stage) {
  const std::uint64_t seconds = attempt_seconds(chain.options.time);
  // squeue shows the first eight characters.
  std::vector<std::string> options{"--job-name=" + job_name(chain, stage.name, "")};
  if (stage.is_array) options.push_back("--array=0-" + std::to_string(chain.options.tasks - 1));
  options.insert(
      options.end(),
      {"--nodes=1", "--ntasks=1", "--cpus-per-task=" + std::to_string(chain.options.cpus),
       "--mem=" + std::to_string(task_memory_mib(chain.options.task_memory)) + "M", "--time=" + time_text(seconds),
       "--signal=B:TERM@" + std::to_string(seconds_to_leave(seconds)), "--requeue", "--open-mode=append",
       "--output=" + log_pattern(chain, stage), "--chdir=" + chain.directory.string()});
  for (const std::string& option : own_options(chain.options)) options.push_back(option);
  std::string text;
  for (const std::string& option : options) text += directive(option);
  return text;
}

std::string job_file(const JobChain& chain, const JobStage& stage) {
  return "#!/bin/bash\n# Stage " + stage.name + " of " + chain.dataset + ", written by bertprep submit slurm.\n" +
         directives(chain, stage) + "\ncommand=(" + shell_lines(stage_command(chain, stage)) + ")\n\n" +
         std::string(embedded::kSlurmAttempts);
}

std::string file_name(const JobStage& stage) {
  return stage.name + ".sbatch";
}

JobStep step_of(const JobChain& chain, const JobStage& stage, const std::string& before) {
  JobStep step{stage.name, {"sbatch", "--parsable"}, {}, (chain.folder / file_name(stage)).string()};
  if (!stage.only.empty()) {
    std::string list = index_list_text(stage.only, "slurm");
    list.pop_back();
    step.command.push_back("--array=" + list);
  }
  if (!before.empty()) {
    step.command.push_back("--kill-on-invalid-dep=yes");
    step.references.push_back({"--dependency=afterok:", before});
  }
  return step;
}

void check_slurm(const JobChain& chain, std::uint64_t max_tasks) {
  for (const std::string& argument : chain.command) require_one_line(argument);
  for (const std::string& text : {chain.dataset, chain.folder.string(), chain.directory.string()})
    require_one_line(text);
  if (max_tasks == 0) return;
  require_at_most(max_tasks, chain.options, "this cluster takes arrays", ", or have MaxArraySize raised");
}

}  // namespace

JobSet slurm_jobs(const JobChain& chain, std::uint64_t max_tasks) {
  check_submit_options(chain.options);
  check_slurm(chain, max_tasks);
  JobSet jobs;
  std::string before;
  for (const JobStage& stage : chain.stages) {
    jobs.files.push_back({file_name(stage), job_file(chain, stage)});
    jobs.steps.push_back(step_of(chain, stage, before));
    before = stage.name;
  }
  jobs.files.push_back(
      {"submit.sh", submit_script(jobs.steps, "#!/bin/sh\n# Submits the jobs in this folder.\nset -eu\n")});
  return jobs;
}

std::uint64_t slurm_most_tasks(std::string_view config) {
  const std::size_t at = config.find("MaxArraySize");
  if (at == std::string_view::npos) return 0;
  const std::string_view line = config.substr(at, config.find('\n', at) - at);
  const std::size_t digits = line.find_first_of("0123456789");
  std::uint64_t size = 0;
  if (digits != std::string_view::npos) std::from_chars(line.data() + digits, line.data() + line.size(), size);
  return size;
}

}  // namespace bertprep
