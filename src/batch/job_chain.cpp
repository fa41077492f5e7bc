#include "batch/job_chain.h"

#include <algorithm>
#include <regex>

#include "batch/index_list.h"
#include "io/digest.h"
#include "io/shell_words.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

using Options = SubmitOptions;

std::uint64_t seconds_of_unit(char unit) {
  return unit == 'd' ? 86400 : unit == 'h' ? 3600 : unit == 'm' ? 60 : 1;
}

bool lies_in(const fs::path& path, const fs::path& folder) {
  const fs::path below = path.lexically_normal().lexically_relative(folder.lexically_normal());
  return !below.empty() && *below.begin() != "..";
}

// The tasks of `stage.only`, one per line: a file for --array-list in the chain's folder, for engines whose arrays have
// no gaps. Throws ConfigError when containers can't see that folder.
JobFile task_list_file(const JobChain& chain, const JobStage& stage, const std::string& mount) {
  if (!lies_in(chain.folder, mount)) {
    throw ConfigError(chain.folder.string() + " is not in " + mount + ", but the list of tasks to run again must be",
                      {}, "give `jobs` there, or run all tasks of the stage with `from` " + stage.name);
  }
  const std::string text = index_list_text(stage.only, "aws-batch");
  return {stage.name + "-" + sha256_of(text).substr(0, 12) + ".list", text};
}

}  // namespace

FieldList<SubmitOptions> SubmitOptions::fields() {
  static const Field<Options> kFields[] = {
      {"tasks", &Options::tasks, "tasks", "number of tasks in each array stage", 1, 4'000'000},
      {"cpus", &Options::cpus, "cpus", "processors for each task", 1, 4096},
      {"task-memory", &Options::task_memory, "memory", "memory for each task, such as 8G or 15000M"},
      {"time", &Options::time, "time", "time limit for one attempt at a task: 90m, 8h, 2d or 1-12:00:00"},
      {"jobs", &Options::jobs, "folder", "folder for the job files (default WORK/jobs/DATASET/ENGINE)"},
      {"partition", &Options::partition, "name", "Slurm: partition to run in"},
      {"account", &Options::account, "name", "Slurm: account to charge"},
      {"qos", &Options::qos, "name", "Slurm: quality of service"},
      {"sbatch", &Options::sbatch, "options", "Slurm: more options for sbatch, such as '--constraint=amd --nice'"},
      {"program", &Options::program, "path",
       "Slurm: path of bertprep on the nodes (default: the path of this program)"},
      {"queue", &Options::queue, "name", "AWS: job queue"},
      {"image", &Options::image, "name",
       "AWS, Kubernetes: container image, such as ACCOUNT.dkr.ecr.REGION.amazonaws.com/bertprep:1"},
      {"efs", &Options::efs, "id", "AWS: fs-..., the file system that holds ROOT and WORK"},
      {"access-point", &Options::access_point, "id", "AWS: fsap-..., the access point of the file system"},
      {"efs-mount", &Options::efs_mount, "path", "AWS: where containers mount the file system"},
      {"job-role", &Options::job_role, "arn", "AWS: role of the container; with it, IAM guards the file system"},
      {"execution-role", &Options::execution_role, "arn", "AWS: role that starts the container"},
      {"log-group", &Options::log_group, "name", "AWS: CloudWatch log group (default AWS's own, /aws/batch/job)"},
      {"attempts", &Options::attempts, "attempts", "AWS, Kubernetes: number of attempts at each task", 1, 10},
      {"claim", &Options::claim, "name", "Kubernetes: PersistentVolumeClaim that holds ROOT and WORK"},
      {"claim-mount", &Options::claim_mount, "path", "Kubernetes: where containers mount the claim"},
      {"namespace", &Options::kube_namespace, "name", "Kubernetes: namespace (default: kubectl's)"},
      {"parallelism", &Options::parallelism, "tasks", "Kubernetes: maximum number of tasks that run at once; 0 for all",
       0, 100'000},
      {"region", &Options::region, "name", "AWS: region for the aws program (default: its own configuration)"},
      {"profile", &Options::profile, "name", "AWS: profile in the aws program's configuration"},
      {"aws-endpoint", &Options::aws_endpoint, "url", "AWS: address of a service to use in place of AWS's own"},
  };
  return {kFields, OptionGroup::kArrayJobs};
}

void check_submit_options(const SubmitOptions& options) {
  validate(options);
  for (const Field<Options>& field : fields_of<Options>()) {
    const auto* member = std::get_if<std::string Options::*>(&field.member);
    if (member == nullptr) continue;
    const std::string& value = options.**member;
    const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7F; };
    if (std::ranges::none_of(value, is_control)) continue;
    throw ConfigError(quoted_field(field.name) + " contains a line break or another control character", {},
                      "give it as one line");
  }
}

std::uint64_t task_memory_mib(const std::string& text) {
  constexpr std::uint64_t kMinMib = 256;
  const std::uint64_t mib = size_in_bytes(text, "task-memory") >> 20U;
  if (mib < kMinMib) {
    throw ConfigError("`task_memory` is " + text + ", it must be at least 256M", {}, "write it like 16G or 15000M");
  }
  return mib;
}

std::uint64_t attempt_seconds(const std::string& text) {
  static const std::regex kAmount("([0-9]{1,6})([smhd])");
  static const std::regex kClock("(?:([0-9]{1,3})-)?([0-9]{1,3}):([0-9]{2}):([0-9]{2})");
  std::smatch match;
  std::uint64_t seconds = 0;
  if (std::regex_match(text, match, kAmount)) {
    seconds = std::stoull(match[1]) * seconds_of_unit(match[2].str()[0]);
  } else if (std::regex_match(text, match, kClock)) {
    for (std::size_t i = 1; i <= 4; ++i) {
      if (match[i].matched) seconds += std::stoull(match[i]) * seconds_of_unit("dhms"[i - 1]);
    }
  } else {
    throw ConfigError("`time` '" + text + "' is not a valid time", {}, "write it like 90m, 8h, 2d or 1-12:00:00");
  }
  if (seconds < 60) throw ConfigError("`time` " + text + " is too short", {}, "give at least a minute");
  return seconds;
}

std::string job_name(const JobChain& chain, std::string_view stage, const std::string& before) {
  constexpr std::size_t kLongestDataset = 90;
  std::string name = before + chain.dataset.substr(0, kLongestDataset);
  for (char& c : name) {
    if (!is_ascii_alphanumeric(c) && c != '_') c = '-';
  }
  return name + (stage.empty() ? "" : "-") + std::string(stage);
}

std::vector<std::string> stage_command(const JobChain& chain, const JobStage& stage) {
  std::vector<std::string> command = chain.command;
  command.insert(command.end(), {"--stage", stage.name});
  command.insert(command.end(), stage.arguments.begin(), stage.arguments.end());
  if (stage.is_array) command.insert(command.end(), {"--array-count", std::to_string(chain.options.tasks)});
  return command;
}

std::string submit_script(std::span<const JobStep> steps, std::string_view head) {
  std::string script(head);
  for (const JobStep& step : steps) {
    script += step.name + "=$(" + shell_line(step.command);
    for (const auto& [before, of] : step.references) script += " \"" + before + "${" + of + "%%;*}\"";
    if (!step.file.empty()) script += " " + shell_word(step.file);
    script += ")\necho \"" + step.name + " $" + step.name + "\"\n";
  }
  return script;
}

// Programs need more memory than they count: for buffers of the system and libraries, and the shell.
std::vector<std::string> share_of_machine(const SubmitOptions& options) {
  const std::uint64_t mib = task_memory_mib(options.task_memory);
  return {"-j", std::to_string(options.cpus), "--memory", std::to_string(mib - mib / 10) + "M"};
}

void check_container_paths(const JobChain& chain, const std::string& mount, const std::string& option) {
  if (!fs::path(mount).is_absolute()) throw ConfigError(option + " '" + mount + "' is not an absolute path");
  for (const fs::path& path : chain.written) {
    if (path.is_absolute() && lies_in(path, mount)) continue;
    throw ConfigError(path.string() + " is not in " + mount + ", where containers mount the file system", {},
                      "give `output` and `work` as paths in it, or another " + option);
  }
  for (const fs::path& path : chain.read) {
    if (path.is_absolute()) continue;
    throw ConfigError("`input` " + path.string() + " is not an absolute path", {},
                      "give the path as containers see it: " + mount);
  }
}

ContainerTask container_task(const JobChain& chain, const JobStage& stage, const std::string& mount,
                             std::vector<JobFile>& files) {
  ContainerTask task{stage_command(chain, stage)};
  task.tasks = stage.is_array ? static_cast<std::uint64_t>(chain.options.tasks) : 1;
  if (stage.only.size() == 1) {
    task.command.insert(task.command.end(), {"--array-task", std::to_string(stage.only.front())});
    task.tasks = 1;
  } else if (!stage.only.empty()) {
    const JobFile& list = files.emplace_back(task_list_file(chain, stage, mount));
    task.command.insert(task.command.end(), {"--array-list", (chain.folder / list.name).string()});
    task.tasks = stage.only.size();
  }
  return task;
}

void require_option(const std::string& engine, const std::string& value, const std::string& option,
                    const std::string& hint) {
  if (value.empty()) throw ConfigError(engine + " needs " + option, {}, hint);
}

void require_at_most(std::uint64_t most, const SubmitOptions& options, const std::string& takes,
                     const std::string& otherwise) {
  const auto tasks = static_cast<std::uint64_t>(options.tasks);
  if (tasks <= most) return;
  throw ConfigError("`tasks` is " + std::to_string(tasks) + ", but " + takes + " of at most " + std::to_string(most),
                    {}, "give `tasks` " + std::to_string(most) + " or fewer" + otherwise);
}

}  // namespace bertprep
